//! Random requests.

use fastrand::Rng;

use super::expression::{condition, paths, update};
use super::value::{for_key, item, key};
use super::{one_in, pick};
use crate::reference::request::{Action, Get, Range, Read, Request, Returns, Write};
use crate::reference::schema::{Index, Key, Schema};
use crate::reference::value::{Document, Value};

/// Any request.
pub(super) fn request(rng: &mut Rng, tables: &[Schema], now: i64) -> Request {
    match rng.u32(0..100) {
        0..58 => Request::Write(write(rng, tables, now, true)),
        58..65 => Request::Get(get(rng, tables)),
        65..82 => Request::Read(read(rng, tables)),
        82..85 => Request::BatchGet(gets(rng, tables)),
        85..90 => Request::BatchWrite(batch(rng, tables, now)),
        90..92 => Request::TransactGet(gets(rng, tables)),
        _ => {
            let writes = (0..rng.usize(1..5)).map(|_| write(rng, tables, now, false)).collect();
            let token = one_in(rng, 4).then(|| format!("token-{}", rng.u32(0..3)));
            Request::TransactWrite { writes, token }
        }
    }
}

fn write(rng: &mut Rng, tables: &[Schema], now: i64, alone: bool) -> Write {
    let table = rng.usize(0..tables.len());
    let schema = &tables[table];
    let action = match rng.u32(0..if alone { 10 } else { 11 }) {
        0..4 => Action::Put(item(rng, schema, now)),
        4..6 => Action::Delete(key(rng, schema)),
        6..10 if alone && one_in(rng, 25) => Action::Update(key(rng, schema), None),
        6..10 => Action::Update(key(rng, schema), Some(update(rng, schema, now))),
        _ => Action::Check(key(rng, schema)),
    };
    let returns = match &action {
        _ if !alone => Returns::None,
        Action::Update(..) => pick(rng, &Returns::ALL),
        _ => pick(rng, &Returns::ALL[..2]),
    };
    let must = matches!(action, Action::Check(_));
    let condition = (must || one_in(rng, 4)).then(|| condition(rng, 2));
    Write { table, action, item_on_failure: condition.is_some() && rng.bool(), condition, returns }
}

fn batch(rng: &mut Rng, tables: &[Schema], now: i64) -> Vec<Write> {
    let mut writes: Vec<Write> = (0..rng.usize(1..8)).map(|_| write(rng, tables, now, false)).collect();
    for write in &mut writes {
        write.condition = None;
        write.item_on_failure = false;
        if let Action::Update(key, _) | Action::Check(key) = &write.action {
            write.action = Action::Delete(key.clone());
        }
    }
    // The request groups its writes by table.
    writes.sort_by_key(|write| write.table);
    writes
}

fn get(rng: &mut Rng, tables: &[Schema]) -> Get {
    let table = rng.usize(0..tables.len());
    let schema = &tables[table];
    let projection = if one_in(rng, 3) { paths(rng, schema, 4) } else { Vec::new() };
    Get { table, key: key(rng, schema), projection, consistent: rng.bool() }
}

fn gets(rng: &mut Rng, tables: &[Schema]) -> Vec<Get> {
    let mut gets: Vec<Get> = (0..rng.usize(1..6)).map(|_| get(rng, tables)).collect();
    gets.sort_by_key(|get| get.table);
    gets
}

fn read(rng: &mut Rng, tables: &[Schema]) -> Read {
    let table = rng.usize(0..tables.len());
    let schema = &tables[table];
    let index = (!schema.indexes.is_empty() && !one_in(rng, 3)).then(|| rng.usize(0..schema.indexes.len()));
    let mut read = Read {
        table,
        index,
        partition: None,
        ranges: Vec::new(),
        filter: one_in(rng, 3).then(|| condition(rng, 1)),
        projection: if one_in(rng, 4) { paths(rng, schema, 4) } else { Vec::new() },
        count_only: false,
        forward: rng.bool(),
        limit: rng.bool().then(|| rng.usize(1..6)),
        consistent: one_in(rng, 8),
        start: None,
        segments: None,
    };
    read.count_only = read.projection.is_empty() && one_in(rng, 6);
    if one_in(rng, 5) {
        read.segments = one_in(rng, 2).then(|| rng.usize(1..5));
        return read;
    }
    let of_index = index.map(|place| &schema.indexes[place]);
    let (partition, sort) = key_parts(schema, of_index);
    let sample = item(rng, schema, 0);
    let value = |rng: &mut Rng, key: &Key| match sample.get(&key.name) {
        Some(value) if value.kind() == key.kind && !value.is_empty() => value.clone(),
        _ => for_key(rng, key),
    };
    read.partition = Some(partition.iter().map(|key| value(rng, key)).collect());
    for key in &sort {
        if one_in(rng, 3) {
            break;
        }
        let range = range(rng, key);
        let goes_on = matches!(range, Range::Equal(_));
        read.ranges.push(range);
        if !goes_on {
            break;
        }
    }
    if crate::reference::read::is_ordered(schema, &read) && schema.sort.is_some() && one_in(rng, 3) {
        read.start = Some(start(rng, &read, &partition, &sort, schema));
    }
    read
}

fn key_parts(schema: &Schema, index: Option<&Index>) -> (Vec<Key>, Vec<Key>) {
    match index {
        Some(index) => (index.partition.clone(), index.sort.clone()),
        None => (vec![schema.partition.clone()], schema.sort.iter().cloned().collect()),
    }
}

/// A key in the partition that is read, of an item that may exist or not.
fn start(rng: &mut Rng, read: &Read, partition: &[Key], sort: &[Key], schema: &Schema) -> Document {
    let mut start = Document::new();
    for (key, value) in partition.iter().zip(read.partition.iter().flatten()) {
        start.insert(key.name.clone(), value.clone());
    }
    for key in sort.iter().chain(&schema.sort) {
        start.insert(key.name.clone(), for_key(rng, key));
    }
    start
}

fn range(rng: &mut Rng, key: &Key) -> Range {
    let value = for_key(rng, key);
    match rng.u32(0..8) {
        0..2 => Range::Equal(value),
        2 => Range::Less(value),
        3 => Range::LessOrEqual(value),
        4 => Range::Greater(value),
        5 => Range::GreaterOrEqual(value),
        6 if !matches!(value, Value::N(_)) => Range::BeginsWith(value),
        _ => {
            let other = for_key(rng, key);
            if value.order(&other) == Some(std::cmp::Ordering::Greater) {
                Range::Between(other, value)
            } else {
                Range::Between(value, other)
            }
        }
    }
}
