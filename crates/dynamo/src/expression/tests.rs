//! Tables of texts and what becomes of them. Stand-ins mean themselves (`#a` is `a`), and the values are those of
//! `value_of`; `#un…` and `:un…` are undefined.

mod condition_matches;
mod condition_text;
mod key_condition;
mod legacy;
mod limits;
mod projection;
mod properties;
mod request;
mod update_apply;
mod update_text;

use std::collections::{BTreeMap, BTreeSet};

use super::{Condition, KeyAttribute, KeyRange, KeySchema, Projection, Update, request as requests};
use crate::error::Result;
use crate::item::Item;
use crate::operation::item::{GetItem, UpdateItem};
use crate::operation::option::{Names, Values};
use crate::operation::page::{Query, Scan};
use crate::operation::table::ScalarType;
use crate::value::{Map, Value};

fn strings(members: &[&str]) -> Value {
    Value::Ss(members.iter().map(|member| (*member).to_owned()).collect())
}

fn numbers(members: &[i64]) -> Value {
    Value::Ns(members.iter().map(|member| (*member).into()).collect())
}

fn map<const COUNT: usize>(attributes: [(&str, Value); COUNT]) -> Value {
    Value::M(attributes.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

fn item<const COUNT: usize>(attributes: [(&str, Value); COUNT]) -> Item {
    Item::from(attributes)
}

fn value_of(name: &str) -> Option<Value> {
    Some(match name {
        "s" => "x".into(),
        "lo" => "a".into(),
        "hi" => "z".into(),
        "empty" => "".into(),
        "n" => 1.into(),
        "big" => Value::N("9e125".parse().expect("a number")),
        "b" => true.into(),
        "nul" => Value::Null,
        "bin" => Value::B(vec![0, 0, 0]),
        "l" => Value::L(vec![1.into()]),
        "m" => map([]),
        "ss" => strings(&["a"]),
        "ns" => numbers(&[1]),
        "bs" => Value::Bs(BTreeSet::from([vec![0, 0, 0]])),
        "type" => "S".into(),
        _ => return None,
    })
}

fn words(text: &str, sign: char) -> impl Iterator<Item = &str> {
    text.match_indices(sign).map(move |(at, _)| {
        let rest = &text[at + 1..];
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        &rest[..end]
    })
}

fn names(texts: &[&str]) -> Names {
    let words =
        texts.iter().flat_map(|text| words(text, '#')).filter(|word| !word.is_empty() && !word.starts_with("un"));
    let names: BTreeMap<String, String> = words.map(|word| (format!("#{word}"), word.to_owned())).collect();
    Some(names).filter(|names| !names.is_empty())
}

fn values(texts: &[&str]) -> Values {
    let words = texts.iter().flat_map(|text| words(text, ':'));
    let values: Map = words.filter_map(|word| Some((format!(":{word}"), value_of(word)?))).collect();
    Some(values).filter(|values| !values.is_empty()).map(Item::from)
}

fn filter(text: &str) -> Result<Condition> {
    let scan = Scan {
        filter_expression: Some(text.to_owned()),
        names: names(&[text]),
        values: values(&[text]),
        ..Scan::default()
    };
    Ok(requests::scan(&scan)?.filter.expect("there is a filter"))
}

fn projection(text: &str) -> Result<Projection> {
    let get = GetItem { projection_expression: Some(text.to_owned()), names: names(&[text]), ..get_item() };
    Ok(requests::get(&get)?.expect("there is a projection"))
}

fn update(text: &str) -> Result<Update> {
    let update = UpdateItem {
        update_expression: Some(text.to_owned()),
        names: names(&[text]),
        values: values(&[text]),
        ..update_item()
    };
    Ok(requests::update(&update)?.0.expect("there is an update"))
}

fn key(text: &str) -> Result<KeyRange> {
    let query = Query {
        key_condition_expression: Some(text.to_owned()),
        names: names(&[text]),
        values: values(&[text]),
        ..Query::default()
    };
    requests::query(&query)?.key.resolve(&schema(&["p"], &["s"]))
}

fn schema(partition: &[&str], sort: &[&str]) -> KeySchema {
    let attributes = |names: &[&str]| {
        names.iter().map(|name| KeyAttribute { name: (*name).to_owned(), kind: ScalarType::S }).collect()
    };
    KeySchema { partition: attributes(partition), sort: attributes(sort) }
}

fn refusal<T: std::fmt::Debug>(result: Result<T>) -> String {
    match result {
        Ok(value) => format!("accepted: {value:?}"),
        Err(error) => error.to_string(),
    }
}

fn get_item() -> GetItem {
    GetItem {
        table_name: String::new(),
        key: Item::empty(),
        projection_expression: None,
        names: None,
        attributes_to_get: None,
        consistent_read: None,
        return_capacity: None,
    }
}

fn update_item() -> UpdateItem {
    UpdateItem {
        table_name: String::new(),
        key: Item::empty(),
        update_expression: None,
        condition_expression: None,
        names: None,
        values: None,
        attribute_updates: None,
        expected: None,
        conditional_operator: None,
        return_values: None,
        return_on_failure: None,
        return_capacity: None,
        return_metrics: None,
    }
}

/// An item with something of every type.
fn sample() -> Item {
    item([
        ("p", "u".into()),
        ("n", 5.into()),
        ("s", "abc".into()),
        ("l", Value::L(vec![0.into(), 1.into(), 2.into(), 3.into()])),
        ("deep", Value::L(vec![1.into(), "x".into(), Value::L(vec![2.into()]), 4.into()])),
        ("ss", strings(&["a", "x"])),
        ("ns", numbers(&[1, 2])),
        ("bs", Value::Bs(BTreeSet::from([vec![0, 0, 0]]))),
        ("bin", Value::B(vec![0, 0, 0])),
        ("nul", Value::Null),
        ("b", true.into()),
        ("m", map([("k", "v".into()), ("e", map([])), ("n", 1.into())])),
        ("ls", Value::L(vec![strings(&["a"]), 7.into()])),
        ("big", Value::N("9e125".parse().expect("a number"))),
    ])
}
