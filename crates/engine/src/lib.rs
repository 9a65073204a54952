//! The embedded database: answers DynamoDB's operations from a folder or from memory.
//!
//! ```no_run
//! # async fn example() -> espalier_dynamo::Result<()> {
//! use espalier_dynamo::{DynamoExt, operation::table::ListTables};
//! use espalier_engine::Engine;
//!
//! let engine = Engine::open("data".as_ref())?;
//! let tables = engine.call(ListTables::default()).await?;
//! # Ok(())
//! # }
//! ```
//!
//! A request takes one of two roads. Reads make a [`read::plan`] and go through [`read::page`], the only loop over
//! stored items, on a snapshot of what is on disk. Writes become [`write::Write`]s and go through
//! [`write::Draft::apply`], the only code that changes items, one after the other under the writer's lock; a
//! response waits until the log is synced. Every stored key is made in [`layout`]. Tables live in
//! [`catalogue`]; what happens without being asked (expiry, trimming, filling indexes, clearing away deleted
//! tables) is in [`housekeeping`].
//!
//! This crate knows no JSON and no HTTP.

pub mod capacity;
pub mod catalogue;
pub mod clock;
pub mod control;
pub mod engine;
pub mod housekeeping;
pub mod key;
pub mod layout;
pub mod limits;
pub mod partiql;
pub mod read;
pub mod stream;
pub mod table;
mod verify;
pub mod write;

pub use engine::{Engine, Options};
