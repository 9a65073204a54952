//! Where everything lies in the store: every stored key is made here.
//!
//! ```text
//! catalogue   01 table                                       → definition
//! meta        02 name                                        → counters, format
//! garbage     03 table                                       → nothing; all entries of that table are to be removed
//! item        10 table primary                               → item
//! index entry 20 table index position tie                    → projected item
//! expiry      30 table second primary                        → nothing; ordered by time, so expiry never scans
//! record      40 table stream sequence                       → stream record
//! token       50 token                                       → what it answered for, and until when
//! token age   51 millisecond token                           → nothing
//!
//! primary  = position of the table's own key
//! position = hash of the partition key (8 bytes), parts of the partition key, parts of the sort key
//! tie      = primary; in global indexes with a hash of the whole primary key in place of the partition key's
//! part     = S, B: bytes with 00 written as 00 FF, then 00 00;  N: ordered bytes, then an end mark
//! ```
//!
//! Parts end themselves and keep the order of their values, so that comparing stored keys compares keys. The hash
//! in front is the one that Amazon's own Scan order follows; it splits a table evenly into segments.

use bytes::Bytes;
use espalier_dynamo::ValueRef;
use espalier_dynamo::number::Number;
use md5::{Digest, Md5};

const CATALOGUE: u8 = 0x01;
const META: u8 = 0x02;
const GARBAGE: u8 = 0x03;
const ITEM: u8 = 0x10;
const INDEX: u8 = 0x20;
const EXPIRY: u8 = 0x30;
const RECORD: u8 = 0x40;
const TOKEN: u8 = 0x50;
const TOKEN_AGE: u8 = 0x51;

/// Bytes of the partition key's hash.
pub const HASH: usize = 8;
/// Bytes in front of a primary key in an item's stored key.
const ITEM_PREFIX: usize = 5;
/// Bytes in front of a primary key in an expiry entry's stored key.
const EXPIRY_PREFIX: usize = 13;

/// A stored key, or the common start of many.
#[derive(Debug, Clone, Copy)]
pub enum Key<'a> {
    /// All definitions.
    Definitions,
    /// The definition of a table.
    Definition(u32),
    /// A counter or flag of the engine.
    Meta(&'static str),
    /// All garbage marks.
    AllGarbage,
    /// The mark that a table's entries are to be removed.
    TableGarbage(u32),
    /// All items of a table.
    Items(u32),
    /// An item, by its encoded primary key.
    Item(u32, &'a [u8]),
    /// All entries of all indexes of a table.
    IndexEntries(u32),
    /// All entries of an index.
    Index(u32, u32),
    /// All expiry entries of a table.
    Expiries(u32),
    /// The expiry entry of an item.
    Expiry(u32, u64, &'a [u8]),
    /// All stream records of a table.
    TableRecords(u32),
    /// All records of a stream.
    Records(u32, i64),
    /// A stream record.
    Record(u32, i64, u64),
    /// A client request token.
    Token(&'a [u8]),
    /// All tokens by age.
    TokenAges,
    /// A token's age entry.
    TokenAge(i64, &'a [u8]),
}

impl Key<'_> {
    /// The stored bytes.
    #[must_use]
    pub fn encode(&self) -> Bytes {
        let mut out = Vec::with_capacity(64);
        match self {
            Key::Definitions => out.push(CATALOGUE),
            Key::Definition(table) => prefix(&mut out, CATALOGUE, *table),
            Key::Meta(name) => {
                out.push(META);
                out.extend_from_slice(name.as_bytes());
            }
            Key::AllGarbage => out.push(GARBAGE),
            Key::TableGarbage(table) => prefix(&mut out, GARBAGE, *table),
            Key::Items(table) => prefix(&mut out, ITEM, *table),
            Key::Item(table, primary) => {
                prefix(&mut out, ITEM, *table);
                out.extend_from_slice(primary);
            }
            Key::IndexEntries(table) => prefix(&mut out, INDEX, *table),
            Key::Index(table, index) => {
                prefix(&mut out, INDEX, *table);
                out.extend_from_slice(&index.to_be_bytes());
            }
            Key::Expiries(table) => prefix(&mut out, EXPIRY, *table),
            Key::Expiry(table, second, primary) => {
                prefix(&mut out, EXPIRY, *table);
                out.extend_from_slice(&second.to_be_bytes());
                out.extend_from_slice(primary);
            }
            Key::TableRecords(table) => prefix(&mut out, RECORD, *table),
            Key::Records(table, stream) => {
                prefix(&mut out, RECORD, *table);
                out.extend_from_slice(&stream.to_be_bytes());
            }
            Key::Record(table, stream, sequence) => {
                prefix(&mut out, RECORD, *table);
                out.extend_from_slice(&stream.to_be_bytes());
                out.extend_from_slice(&sequence.to_be_bytes());
            }
            Key::Token(token) => {
                out.push(TOKEN);
                out.extend_from_slice(token);
            }
            Key::TokenAges => out.push(TOKEN_AGE),
            Key::TokenAge(millisecond, token) => {
                out.push(TOKEN_AGE);
                out.extend_from_slice(&millisecond.to_be_bytes());
                out.extend_from_slice(token);
            }
        }
        out.into()
    }
}

fn prefix(out: &mut Vec<u8>, kind: u8, table: u32) {
    out.push(kind);
    out.extend_from_slice(&table.to_be_bytes());
}

/// The encoded primary key within an item's stored key.
#[must_use]
pub fn primary_of_item(key: &[u8]) -> &[u8] {
    &key[ITEM_PREFIX..]
}

/// The second and the encoded primary key within an expiry entry's stored key.
#[must_use]
pub fn expiry_parts(key: &[u8]) -> (u64, &[u8]) {
    (big_endian(&key[ITEM_PREFIX..EXPIRY_PREFIX]), &key[EXPIRY_PREFIX..])
}

/// The sequence number at the end of a stream record's stored key.
#[must_use]
pub fn record_sequence(key: &[u8]) -> u64 {
    big_endian(&key[key.len() - 8..])
}

/// The millisecond and the token within a token age entry's stored key.
#[must_use]
pub fn token_age_parts(key: &[u8]) -> (i64, &[u8]) {
    (big_endian(&key[1..9]) as i64, &key[9..])
}

/// The table within a garbage mark's stored key.
#[must_use]
pub fn garbage_table(key: &[u8]) -> u32 {
    big_endian(&key[1..]) as u32
}

fn big_endian(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |value, byte| value << 8 | u64::from(*byte))
}

/// Builds a position: partition parts first, then sort parts.
#[derive(Debug, Clone)]
pub struct Position(Vec<u8>);

impl Position {
    /// Starts with the partition key, given in order.
    pub fn partition<'v>(values: impl Iterator<Item = ValueRef<'v>> + Clone) -> Self {
        let mut out = Vec::with_capacity(64);
        out.extend_from_slice(&hash(values.clone()));
        let mut position = Self(out);
        for value in values {
            position.push(value);
        }
        position
    }

    /// Appends a part.
    pub fn push(&mut self, value: ValueRef<'_>) {
        match value {
            ValueRef::N(number) => push_number(&mut self.0, &number),
            ValueRef::S(text) => push_bytes(&mut self.0, text.as_bytes()),
            ValueRef::B(bytes) => push_bytes(&mut self.0, bytes),
            _ => unreachable!("key attributes are strings, numbers or binaries"),
        }
    }

    /// Appends the start of a string or binary part, for prefixes.
    pub fn push_start(&mut self, value: ValueRef<'_>) {
        match value {
            ValueRef::S(text) => push_escaped(&mut self.0, text.as_bytes()),
            ValueRef::B(bytes) => push_escaped(&mut self.0, bytes),
            _ => unreachable!("only strings and binaries have prefixes"),
        }
    }

    /// The encoded position.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The encoded position.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }
}

fn push_number(out: &mut Vec<u8>, number: &Number) {
    // Positive digits are 1..=100 and negative ones 2..=101, so each end mark sorts a shorter number rightly
    // before or after a longer one; most negative numbers carry theirs already.
    let bytes = number.as_bytes();
    out.extend_from_slice(bytes);
    if !number.is_negative() {
        out.push(0);
    } else if bytes.last() != Some(&102) {
        out.push(102);
    }
}

fn push_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    push_escaped(out, bytes);
    out.extend_from_slice(&[0, 0]);
}

fn push_escaped(out: &mut Vec<u8>, bytes: &[u8]) {
    if !bytes.contains(&0) {
        return out.extend_from_slice(bytes);
    }
    for byte in bytes {
        out.push(*byte);
        if *byte == 0 {
            out.push(0xff);
        }
    }
}

/// Where a partition lies in the order of Scan, or an item among those with the same index key.
pub fn hash<'v>(values: impl Iterator<Item = ValueRef<'v>>) -> [u8; HASH] {
    let mut digest = Md5::new();
    digest.update(b"Outliers");
    for value in values {
        match value {
            ValueRef::S(text) => digest.update(text.as_bytes()),
            ValueRef::N(number) => digest.update(number.as_bytes()),
            ValueRef::B(bytes) => digest.update(bytes),
            _ => unreachable!("key attributes are strings, numbers or binaries"),
        }
    }
    let digest = digest.finalize();
    let mut hash = [0; HASH];
    hash.copy_from_slice(&digest[..HASH]);
    hash
}

/// The first key after all keys that start with these bytes; `None` if there is none.
#[must_use]
pub fn after_prefix(prefix: &[u8]) -> Option<Vec<u8>> {
    let last = prefix.iter().rposition(|byte| *byte != 0xff)?;
    let mut next = prefix[..=last].to_vec();
    next[last] += 1;
    Some(next)
}

#[cfg(test)]
mod tests {
    use super::*;
    use espalier_dynamo::Value;
    use espalier_dynamo::item::Encoded;
    use proptest::prelude::*;

    fn sort_part(value: &Value) -> Vec<u8> {
        let mut position = Position(Vec::new());
        position.push(Encoded::from(value).view());
        position.into_bytes()
    }

    proptest! {
        #[test]
        fn binary_parts_keep_order(a in proptest::collection::vec(0u8..3, 0..6), b in proptest::collection::vec(0u8..3, 0..6), tail in any::<[u8; 2]>()) {
            let (mut x, mut y) = (sort_part(&Value::B(a.clone())), sort_part(&Value::B(b.clone())));
            if a != b {
                prop_assert_eq!(x.cmp(&y), a.cmp(&b));
                x.extend_from_slice(&tail);
                y.extend_from_slice(&[tail[1], tail[0]]);
                prop_assert_eq!(x.cmp(&y), a.cmp(&b), "whatever follows");
            }
        }

        #[test]
        fn number_parts_keep_order(a in any::<i64>(), b in any::<i64>(), shift in 0u32..30) {
            let number = |value: i64| format!("{value}e-{shift}").parse::<Number>().unwrap();
            let (x, y) = (sort_part(&Value::N(number(a))), sort_part(&Value::N(number(b))));
            prop_assert_eq!(x.cmp(&y), a.cmp(&b));
        }

        #[test]
        fn a_prefix_covers_what_starts_with_it(text in "[a\u{0}]{0,4}", rest in "[a\u{0}\u{10ffff}]{0,3}") {
            let mut start = Position(Vec::new());
            start.push_start(Encoded::from(&Value::S(text.clone())).view());
            let whole = sort_part(&Value::S(format!("{text}{rest}")));
            prop_assert!(whole.starts_with(start.as_bytes()));
            prop_assert!(after_prefix(&whole).unwrap() > whole);
        }
    }

    #[test]
    fn stored_keys_come_apart_again() {
        let key = Key::Expiry(7, 99, b"primary").encode();
        assert_eq!(expiry_parts(&key), (99, b"primary".as_slice()));
        assert_eq!(primary_of_item(&Key::Item(7, b"primary").encode()), b"primary");
        assert_eq!(record_sequence(&Key::Record(1, 2, 3).encode()), 3);
        assert_eq!(garbage_table(&Key::TableGarbage(4).encode()), 4);
        assert_eq!(token_age_parts(&Key::TokenAge(8, b"t").encode()), (8, b"t".as_slice()));
    }
}
