//! Golden scripts: requests and the answers they must get, as text that anybody can write in a minute.
//!
//! ```text
//! # A put whose condition fails leaves the item alone and can return it.
//! # source: AWS API reference, PutItem
//! table tab pk:S
//! > PutItem {"TableName":"tab","Item":{"pk":{"S":"a"}}}
//! < 200
//! > PutItem {"TableName":"tab","Item":{"pk":{"S":"a"}},"ConditionExpression":"attribute_not_exists(pk)"}
//! < 400 ConditionalCheckFailedException: The conditional request failed
//! ```
//!
//! Lines:
//! - `#` comments; the first says what is shown, one says `source:`.
//! - `table NAME PK:TYPE [SK:TYPE] [local NAME SK:TYPE [PROJECTION]] [global NAME PK:TYPE[,…] [SK:TYPE[,…]] [PROJECTION]]
//!   [stream VIEW] [ttl ATTRIBUTE]` makes a table. PROJECTION is `ALL`, `KEYS_ONLY` or `INCLUDE(a,b)`.
//! - `> Operation {json}` sends a request. The body may go on over indented lines. It is sent as written, so it may be
//!   broken JSON; `@repeat(text,count)` stands for a text so many times, `@each(from,to,text)` for the text once per
//!   number, joined by commas, with `@i` the number.
//! - `< STATUS` is the answer to the line before; for errors `< STATUS Exception: message`, or without a message if none
//!   is sent, or with `*` for any message. Indented lines after it are the body, compared member by member: what is not mentioned at the top
//!   level may be anything (`< 200 exactly` forbids that), and `*` stands for any value. Objects with a
//!   set compare without order. Without indented lines the body is not looked at.
//! - `save NAME path.to.member` keeps a value of the last answer; `$NAME` in later requests stands for it.
//! - `clock +1h` moves the clock (`ms`, `s`, `m`, `h`, `d`), `tick` lets background work happen, `reopen` closes and
//!   opens a database on disk, `crash` drops and opens it.
//!
//! `UPDATE_SCRIPTS=1` rewrites the answers; what it writes is to be read before it is committed.

mod expect;
mod fixture;
mod parse;
mod run;

pub use parse::{Line, Script};
pub use run::{Failure, Mode, run};
