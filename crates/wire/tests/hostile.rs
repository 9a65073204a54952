//! Nothing a client sends may panic, and nothing bad may get through.

#![allow(clippy::unwrap_used, reason = "a test that finds nothing should fail")]

use espalier_dynamo::Operation;
use espalier_wire::{Service, parse};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

fn any_operation() -> impl Strategy<Value = &'static str> {
    prop::sample::select(Operation::NAMES.to_vec())
}

fn try_all(operation: &str, body: &[u8]) {
    for service in [Service::DynamoDb, Service::Streams] {
        if let Err(fault) = parse(operation, service, body) {
            let body: Value = serde_json::from_slice(&fault.body()).unwrap();
            assert!(body["__type"].as_str().unwrap().ends_with(fault.exception()));
        }
    }
}

/// Names that requests use, so that arbitrary JSON gets deep into them.
const NAMES: &[&str] = &[
    "TableName",
    "Item",
    "Key",
    "Keys",
    "RequestItems",
    "TransactItems",
    "Put",
    "PutRequest",
    "DeleteRequest",
    "Get",
    "Update",
    "ConditionCheck",
    "S",
    "N",
    "B",
    "BOOL",
    "NULL",
    "M",
    "L",
    "SS",
    "NS",
    "BS",
    "Expected",
    "Value",
    "AttributeValueList",
    "ComparisonOperator",
    "AttributeUpdates",
    "KeySchema",
    "AttributeDefinitions",
    "Limit",
    "GlobalSecondaryIndexes",
    "Projection",
    "NonKeyAttributes",
    "ExpressionAttributeValues",
    "Statements",
    "ExpressionAttributeNames",
    "Tags",
    "Parameters",
    "abc",
    "ResourceArn",
    "TimeToLiveSpecification",
    "StreamArn",
];

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(|number| json!(number)),
        "[-+0-9eE.]{0,50}".prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
        prop::sample::select(vec!["abc", "YQ==", "true", "HASH", "EQ", "arn:aws:dynamodb:x:1:table/abc"])
            .prop_map(Value::from),
    ];
    leaf.prop_recursive(8, 64, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::btree_map(prop::sample::select(NAMES.to_vec()), inner, 0..5).prop_map(|entries| {
                Value::Object(entries.into_iter().map(|(name, value)| (name.to_owned(), value)).collect::<Map<_, _>>())
            }),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn arbitrary_bytes(operation in any_operation(), body in prop::collection::vec(any::<u8>(), 0..200)) {
        try_all(operation, &body);
    }

    #[test]
    fn arbitrary_json(operation in any_operation(), body in any_json()) {
        try_all(operation, body.to_string().as_bytes());
    }

    #[test]
    fn damaged_requests(at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let whole = br#"{"TableName":"abc","Item":{"a":{"S":"x\u00e9\n"},"b":{"NS":["1","2"]},"c":{"B":"YQ=="},
            "d":{"M":{"e":{"L":[{"NULL":true},{"BOOL":false}]}}}},"ReturnValues":"ALL_OLD"}"#;
        let mut body = whole.to_vec();
        let at = at.index(body.len());
        body[at] = byte;
        try_all("PutItem", &body);
    }

    #[test]
    fn whatever_gets_through_is_sound(body in any_json()) {
        let request = json!({"TableName": "abc", "Item": {"a": {"M": {"x": body}}}}).to_string();
        if let Ok(Operation::PutItem(put)) = parse("PutItem", Service::DynamoDb, request.as_bytes()) {
            // Walking the item checks its encoding: names ascend, text is UTF-8, numbers and sets are canonical.
            let map = put.item.to_map();
            prop_assert_eq!(espalier_dynamo::Item::from(&map), put.item);
        }
    }
}

#[test]
fn deep_bodies_of_every_shape_leave_the_stack_alone() {
    for (open, close) in
        [("[", "]"), (r#"{"a":"#, "}"), (r#"{"Item":"#, "}"), (r#"{"L":["#, "]}"), (r#"{"M":{"a":"#, "}}")]
    {
        let deep = format!("{}1{}", open.repeat(200_000), close.repeat(200_000));
        for body in [
            deep.clone(),
            format!(r#"{{"Item":{{"a":{deep}}}}}"#),
            format!(r#"{{"Unknown":{deep}}}"#),
            open.repeat(200_000),
        ] {
            for operation in Operation::NAMES {
                try_all(operation, body.as_bytes());
            }
        }
    }
}

#[test]
fn large_bodies_take_no_longer_than_their_length_asks_for() {
    let names: Vec<String> = (0..10_000).map(|n| format!(r##""#n{n}":"a{n}""##)).collect();
    let body = format!(r#"{{"TableName":"abc","Key":{{}},"ExpressionAttributeNames":{{{}}}}}"#, names.join(","));
    assert!(parse("UpdateItem", Service::DynamoDb, body.as_bytes()).is_ok());
    let list = vec![r#"{"N":"1"}"#; 1_000_000].join(",");
    let body = format!(r#"{{"TableName":"abc","Item":{{"a":{{"L":[{list}]}}}}}}"#);
    assert!(parse("PutItem", Service::DynamoDb, body.as_bytes()).is_ok());
    let number = "1".repeat(1_000_000);
    let body = format!(r#"{{"TableName":"abc","Item":{{"a":{{"N":"{number}"}}}}}}"#);
    assert_eq!(parse("PutItem", Service::DynamoDb, body.as_bytes()).unwrap_err().status(), 400);
}
