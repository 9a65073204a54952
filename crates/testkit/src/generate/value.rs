//! Random values and items.

use fastrand::Rng;

use super::{one_in, pick};
use crate::reference::decimal::Decimal;
use crate::reference::schema::{Key, Schema};
use crate::reference::value::{Document, Value};

const TEXTS: [&str; 12] = ["a", "b", "ab", "abc", "a\u{0}", "a\u{0}b", "a\u{1}", "ä", "z", "\u{10ffff}", "aa", "B"];
const NUMBERS: [&str; 24] = [
    "0",
    "1",
    "2",
    "-1",
    "10",
    "9",
    "1.5",
    "-0.5",
    "0.1",
    "100",
    "-100",
    "1E20",
    "3",
    "5",
    "99999999999999999999999999999999999999",
    "0.00000000000000000000000000000000000001",
    "1E-130",
    "-1E-130",
    "9.9999999999999999999999999999999999999E125",
    "-9.9999999999999999999999999999999999999E125",
    "12345678901234567890123456789012345678",
    "-12345678901234567890123456789012345678",
    "1E37",
    "7",
];
const BYTES: [&[u8]; 8] = [&[0], &[0, 0], &[255], &[0, 255], &[1], &[1, 2], &[255, 255], b"a"];

/// Non-key attributes: the names hint at what they mostly hold, and `document` and `list` nest.
pub(super) const ATTRIBUTES: [&str; 8] = ["a", "b", "n", "document", "list", "tags", "with.dot and space", "näme"];
/// Names inside maps.
pub(super) const MEMBERS: [&str; 3] = ["x", "y", "inner name"];

pub(super) fn number(rng: &mut Rng) -> Decimal {
    let text = if one_in(rng, 3) { rng.i32(-20..20).to_string() } else { pick(rng, &NUMBERS).to_owned() };
    Decimal::parse(&text).expect("the texts above are numbers")
}

pub(super) fn text(rng: &mut Rng) -> String {
    pick(rng, &TEXTS).to_owned()
}

pub(super) fn bytes(rng: &mut Rng) -> Vec<u8> {
    pick(rng, &BYTES).to_vec()
}

/// A value for a key attribute; few of them, so that keys collide.
pub(super) fn for_key(rng: &mut Rng, key: &Key) -> Value {
    match key.kind {
        "S" => Value::S(text(rng)),
        "N" => Value::N(number(rng)),
        _ => Value::B(bytes(rng)),
    }
}

/// Partition keys are fewer still, so that partitions fill.
fn for_partition(rng: &mut Rng, key: &Key) -> Value {
    match key.kind {
        "S" => Value::S(pick(rng, &TEXTS[..4]).to_owned()),
        "N" => Value::N(Decimal::parse(pick(rng, &NUMBERS[..4])).expect("a number")),
        _ => Value::B(pick(rng, &BYTES[..4]).to_vec()),
    }
}

/// A primary key.
pub(super) fn key(rng: &mut Rng, schema: &Schema) -> Document {
    let mut key = Document::from([(schema.partition.name.clone(), for_partition(rng, &schema.partition))]);
    if let Some(sort) = &schema.sort {
        key.insert(sort.name.clone(), for_key(rng, sort));
    }
    if one_in(rng, 60) {
        spoil(rng, schema, &mut key);
    }
    key
}

/// A key that does not fit.
fn spoil(rng: &mut Rng, schema: &Schema, key: &mut Document) {
    let name = schema.keys().last().expect("a table has a key").name.clone();
    match rng.u32(0..4) {
        0 => {
            key.remove(&name);
        }
        1 => {
            key.insert(name, Value::Bool(true));
        }
        2 => {
            key.insert("a".to_owned(), Value::Null);
        }
        _ => {
            let empty = if schema.keys().last().is_some_and(|key| key.kind == "B") {
                Value::B(vec![])
            } else {
                Value::S(String::new())
            };
            key.insert(name, empty);
        }
    }
}

/// Any value.
pub(super) fn value(rng: &mut Rng, depth: usize) -> Value {
    match rng.u32(0..if depth > 0 { 14 } else { 11 }) {
        0..3 => Value::N(number(rng)),
        3..5 => Value::S(if one_in(rng, 6) { String::new() } else { text(rng) }),
        5 => Value::S("long ".repeat(rng.usize(1..600))),
        6 => Value::B(bytes(rng)),
        7 => Value::Bool(rng.bool()),
        8 => Value::Null,
        9 => set(rng),
        10 => Value::Ss([text(rng)].into()),
        11 => Value::M(map(rng, depth - 1)),
        _ => Value::L((0..rng.usize(0..4)).map(|_| value(rng, depth - 1)).collect()),
    }
}

/// A set of any type.
pub(super) fn set(rng: &mut Rng) -> Value {
    let count = rng.usize(1..4);
    match rng.u32(0..3) {
        0 => Value::Ss((0..count).map(|_| text(rng)).collect()),
        1 => Value::Ns((0..count).map(|_| number(rng)).collect()),
        _ => Value::Bs((0..count).map(|_| bytes(rng)).collect()),
    }
}

fn map(rng: &mut Rng, depth: usize) -> Document {
    (0..rng.usize(0..4)).map(|_| (pick(rng, &MEMBERS).to_owned(), value(rng, depth))).collect()
}

/// A value that suits an attribute's name most of the time.
pub(super) fn for_attribute(rng: &mut Rng, name: &str) -> Value {
    if one_in(rng, 6) {
        return value(rng, 2);
    }
    match name {
        "n" => Value::N(number(rng)),
        "document" => Value::M(map(rng, 2)),
        "list" => Value::L((0..rng.usize(0..5)).map(|_| value(rng, 1)).collect()),
        "tags" => set(rng),
        _ => value(rng, 1),
    }
}

/// A whole item.
pub(super) fn item(rng: &mut Rng, schema: &Schema, now: i64) -> Document {
    let mut item = key(rng, schema);
    for name in ATTRIBUTES {
        if rng.bool() {
            item.insert(name.to_owned(), for_attribute(rng, name));
        }
    }
    for index_key in schema.indexes.iter().flat_map(|index| index.partition.iter().chain(&index.sort)) {
        if !schema.keys().any(|own| own == index_key) && !one_in(rng, 4) {
            let value = if one_in(rng, 60) { value(rng, 1) } else { for_partition(rng, index_key) };
            item.insert(index_key.name.clone(), value);
        }
    }
    if schema.time_to_live.is_some() && rng.bool() {
        item.insert("expires".to_owned(), expiry(rng, now));
    }
    item
}

/// An odd second around now, or something that never expires.
pub(super) fn expiry(rng: &mut Rng, now: i64) -> Value {
    let seconds = match rng.u32(0..8) {
        0 => return value(rng, 0),
        1 => 1,
        2 => now - 6 * 365 * 24 * 3600 - 1,
        3 => -101,
        _ => now + 2 * rng.i64(-200..4000) + 1,
    };
    Value::N(Decimal::parse(&seconds.to_string()).expect("a number"))
}
