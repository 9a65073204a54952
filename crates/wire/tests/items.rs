//! Items survive the way in and out: JSON to encoded form to JSON.

#![allow(clippy::unwrap_used, reason = "a test that finds nothing should fail")]

use std::collections::{BTreeMap, BTreeSet};

use espalier_dynamo::operation::item::GetItemOutput;
use espalier_dynamo::{Item, Operation, Response, Value};
use espalier_wire::{Service, parse, write_response};
use proptest::collection::{btree_map, btree_set, vec};
use proptest::prelude::*;

fn written(item: Item) -> String {
    let mut out = Vec::new();
    let output = GetItemOutput { item: Some(item), consumed_capacity: None };
    write_response(&Response::GetItem(output), &mut out);
    String::from_utf8(out).unwrap()
}

fn read(item: &str) -> Item {
    let body = format!(r#"{{"TableName":"abc","Item":{item}}}"#);
    match parse("PutItem", Service::DynamoDb, body.as_bytes()).unwrap() {
        Operation::PutItem(put) => put.item,
        other => panic!("{other:?}"),
    }
}

fn value() -> impl Strategy<Value = Value> {
    let number =
        (any::<i64>(), -90i32..90).prop_map(|(mantissa, exponent)| format!("{mantissa}e{exponent}").parse().unwrap());
    let leaf = prop_oneof![
        ".{0,20}".prop_map(Value::S),
        "[\\x00-\\x1f\"\\\\\u{7f}\u{2028}\u{10ffff}]{0,8}".prop_map(Value::S),
        number.clone().prop_map(Value::N),
        vec(any::<u8>(), 0..50).prop_map(Value::B),
        any::<bool>().prop_map(Value::Bool),
        Just(Value::Null),
        btree_set(".{0,5}", 1..4).prop_map(Value::Ss),
        btree_set(number, 1..4).prop_map(Value::Ns),
        btree_set(vec(any::<u8>(), 0..5), 1..4).prop_map(Value::Bs),
    ];
    leaf.prop_recursive(4, 30, 5, |inner| {
        prop_oneof![vec(inner.clone(), 0..5).prop_map(Value::L), btree_map(".{0,5}", inner, 0..5).prop_map(Value::M)]
    })
}

proptest! {
    #[test]
    fn an_item_survives(map in btree_map(".{0,8}", value(), 0..6)) {
        let item = Item::from(&map);
        let text = written(item.clone());
        let parsed: serde_json::Value = serde_json::from_str(&text).unwrap();
        prop_assert_eq!(read(&parsed["Item"].to_string()), item.clone());
        // And in our own writing, which an SDK would echo.
        let own = text.strip_prefix("{\"Item\":").unwrap().strip_suffix('}').unwrap();
        prop_assert_eq!(read(own), item);
    }
}

#[test]
fn every_type_is_written_as_amazon_writes_it() {
    let map: BTreeMap<String, Value> = [
        ("s", Value::from("a\"b\\c\n\u{1}\u{e9}")),
        ("n", Value::N("1e3".parse().unwrap())),
        ("b", Value::B(vec![1, 2, 3])),
        ("t", Value::Bool(true)),
        ("z", Value::Null),
        ("m", Value::M([("x".to_owned(), Value::from("y"))].into())),
        ("l", Value::L(vec![Value::from("x"), Value::N("-0.5".parse().unwrap())])),
        ("ss", Value::Ss(BTreeSet::from(["a".to_owned(), "b".to_owned()]))),
        ("ns", Value::Ns(["10", "9"].map(|text| text.parse().unwrap()).into())),
        ("bs", Value::Bs([vec![0xff]].into())),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into();
    let expected = concat!(
        r#"{"Item":{"b":{"B":"AQID"},"bs":{"BS":["/w=="]},"l":{"L":[{"S":"x"},{"N":"-0.5"}]},"m":{"M":{"x":{"S":"y"}}},"#,
        r#""n":{"N":"1000"},"ns":{"NS":["9","10"]},"s":{"S":"a\"b\\c\n\u0001é"},"ss":{"SS":["a","b"]},"#,
        r#""t":{"BOOL":true},"z":{"NULL":true}}}"#,
    );
    assert_eq!(written(Item::from(map)), expected);
}
