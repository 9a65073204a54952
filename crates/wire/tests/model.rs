//! This crate against botocore's service model (`model/shapes.json`, made by `model/extract.py`): operations, members
//! with their types and constraints, and the shapes of responses and errors.

#![allow(clippy::unwrap_used, reason = "a test that finds nothing should fail")]

mod samples;

use std::collections::BTreeSet;

use espalier_dynamo::Operation;
use espalier_dynamo::error::{CancellationReason, Error, Invalid};
use espalier_wire::{Fault, Service, parse, write_response};
use serde_json::{Map, Value, json};

/// Members of the model that are not read, by the shape they stand in: features that are not offered.
const UNREAD: &[&str] = &[
    "CreateTableInput.GlobalTableSettingsReplicationMode",
    "CreateTableInput.GlobalTableSourceArn",
    "CreateTableInput.ResourcePolicy",
    "CreateTableInput.VectorIndexes",
    "DescribeStreamInput.ShardFilter.Type",
    "GetShardIteratorInput.Timestamp",
    "UpdateTableInput.DisassociationProtectionEnabled",
    "UpdateTableInput.GlobalTableSettingsReplicationMode",
    "UpdateTableInput.GlobalTableWitnessUpdates",
    "UpdateTableInput.MultiRegionConsistency",
    "UpdateTableInput.ReplicaUpdates.*",
    "UpdateTableInput.VectorIndexUpdates",
];

/// Shapes whose constraints are not the model's: DynamoDB itself is stricter, looser, or words them on its own.
const OWN_CONSTRAINTS: &[&str] = &[
    // Table names: see fields/scalar.rs. Resources: see operation/tag.rs.
    "TableArn",
    "ResourceArnString",
    // Told once for a whole batch: see operation/batch.rs.
    "BatchGetRequestMap",
    "BatchWriteItemRequestMap",
    "WriteRequests",
    "KeyList",
    // Checked in `ExpressionAttributeNames` and `AttributesToGet`; of items by the engine.
    "AttributeName",
    // At most 20 names is a rule about a whole table, which the engine has.
    "NonKeyAttributeNameList",
    // The newest way to start reading a shard is not offered.
    "ShardIteratorType",
];

struct Model(Value);

impl Model {
    fn load() -> Self {
        Self(serde_json::from_str(include_str!("../model/shapes.json")).unwrap())
    }

    fn shape<'m>(&'m self, service: &str, name: &str) -> &'m Value {
        &self.0[service]["shapes"][name]
    }

    fn operation<'m>(&'m self, name: &str) -> (&'static str, &'m Value) {
        let service = if self.0["dynamodb"]["operations"][name].is_null() { "dynamodbstreams" } else { "dynamodb" };
        (service, &self.0[service]["operations"][name])
    }
}

fn service(name: &str) -> Service {
    if name == "dynamodb" { Service::DynamoDb } else { Service::Streams }
}

/// A member somewhere in a request: its path in the model, its shape, and the body that puts a value there.
struct Place {
    path: String,
    shape: String,
    steps: Vec<Step>,
}

#[derive(Clone)]
enum Step {
    Member(String),
    Element,
    Entry,
}

impl Place {
    fn body(&self, value: &str) -> String {
        self.steps.iter().rev().fold(value.to_owned(), |inner, step| match step {
            Step::Member(name) => format!(r#"{{"{name}":{inner}}}"#),
            Step::Element => format!("[{inner}]"),
            Step::Entry => format!(r#"{{"abc":{inner}}}"#),
        })
    }
}

/// All members below a shape; a shape inside itself is not entered again.
fn places(model: &Model, service: &str, input: &str) -> Vec<Place> {
    fn walk(model: &Model, service: &str, at: &Place, above: &[&str], found: &mut Vec<Place>) {
        let shape = model.shape(service, &at.shape);
        if above.contains(&at.shape.as_str()) {
            return;
        }
        let above = [above, &[at.shape.as_str()]].concat();
        let mut enter = |path: String, shape: &Value, step: Step| {
            let steps = [at.steps.clone(), vec![step]].concat();
            let place = Place { path, shape: shape.as_str().unwrap().to_owned(), steps };
            walk(model, service, &place, &above, found);
            found.push(place);
        };
        match shape["type"].as_str().unwrap() {
            "structure" => {
                for (name, member) in shape["members"].as_object().unwrap() {
                    enter(format!("{}.{name}", at.path), member, Step::Member(name.clone()));
                }
            }
            "list" => enter(at.path.clone(), &shape["member"], Step::Element),
            "map" => enter(at.path.clone(), &shape["value"], Step::Entry),
            _ => {}
        }
    }
    let mut found = Vec::new();
    let root = Place { path: input.to_owned(), shape: input.to_owned(), steps: Vec::new() };
    walk(model, service, &root, &[], &mut found);
    found
}

fn is_unread(path: &str) -> bool {
    UNREAD.iter().any(|unread| match unread.strip_suffix(".*") {
        Some(prefix) => path.strip_prefix(prefix).is_some_and(|rest| rest.starts_with('.')),
        None => path == *unread || path.strip_prefix(unread).is_some_and(|rest| rest.starts_with('.')),
    })
}

fn said(operation: &str, service_name: &str, body: &str) -> (String, String) {
    match parse(operation, service(service_name), body.as_bytes()) {
        Ok(_) => ("ok".to_owned(), String::new()),
        Err(fault) => {
            let body: Value = serde_json::from_slice(&fault.body()).unwrap();
            let message = body["message"].as_str().or(body["Message"].as_str()).unwrap_or_default();
            (fault.exception().to_owned(), message.to_owned())
        }
    }
}

#[test]
fn every_operation_is_offered_or_said_not_to_be() {
    let model = Model::load();
    let names: BTreeSet<&String> = ["dynamodb", "dynamodbstreams"]
        .iter()
        .flat_map(|name| model.0[name]["operations"].as_object().unwrap().keys())
        .collect();
    for offered in Operation::NAMES {
        assert!(names.contains(&(*offered).to_owned()), "{offered}");
    }
    for name in names {
        let (service, _) = model.operation(name);
        let (exception, message) = said(name, service, "7");
        if Operation::NAMES.contains(&name.as_str()) {
            assert_eq!(exception, "SerializationException", "{name}");
        } else {
            assert_eq!(exception, "UnknownOperationException", "{name}");
            assert!(message.contains(name.as_str()), "{name}: {message}");
        }
    }
}

#[test]
fn every_member_of_the_model_is_read_with_its_type() {
    let model = Model::load();
    let mut unread = BTreeSet::new();
    for operation in Operation::NAMES {
        let (service, ways) = model.operation(operation);
        for place in places(&model, service, ways["input"].as_str().unwrap()) {
            let wrong = match model.shape(service, &place.shape)["type"].as_str().unwrap() {
                "integer" | "long" | "double" | "timestamp" => r#""text""#,
                _ => "23",
            };
            let (exception, _) = said(operation, service, &place.body(wrong));
            if exception != "SerializationException" {
                unread.insert(place.path);
            }
        }
    }
    let unexpected: Vec<&String> = unread.iter().filter(|path| !is_unread(path)).collect();
    assert!(unexpected.is_empty(), "not read: {unexpected:?}");
    for listed in UNREAD {
        let prefix = listed.trim_end_matches(".*");
        assert!(unread.iter().any(|path| path.starts_with(prefix)), "{listed} is read or gone");
    }
}

/// A value of the shape that breaks one of its constraints, and what is said about it.
fn violations(shape: &Value) -> Vec<(String, String)> {
    let number = |key: &str| shape[key].as_u64();
    let mut found = Vec::new();
    match shape["type"].as_str().unwrap() {
        "string" => {
            if let Some(names) = shape["enum"].as_array() {
                for name in names {
                    found.push((r#""bogus!""#.to_owned(), name.as_str().unwrap().to_owned()));
                }
            }
            if let Some(min) = number("min").filter(|min| *min > 0) {
                let text = "a".repeat(min as usize - 1);
                found.push((format!(r#""{text}""#), format!("length greater than or equal to {min}")));
            }
            if let Some(max) = number("max") {
                let text = "a".repeat(max as usize + 1);
                found.push((format!(r#""{text}""#), format!("length less than or equal to {max}")));
            }
            if let Some(pattern) = shape["pattern"].as_str() {
                found.push((r#""a;bc""#.to_owned(), format!("regular expression pattern: {pattern}")));
            }
        }
        "integer" | "long" => {
            if let Some(min) = number("min") {
                found.push(((min as i64 - 1).to_string(), format!("value greater than or equal to {min}")));
            }
            if let Some(max) = number("max") {
                found.push(((max + 1).to_string(), format!("value less than or equal to {max}")));
            }
        }
        "list" => {
            if number("min").is_some_and(|min| min > 0) {
                found.push(("[]".to_owned(), "length greater than or equal to 1".to_owned()));
            }
            if let Some(max) = number("max") {
                let list = vec!["null"; max as usize + 1].join(",");
                found.push((format!("[{list}]"), format!("length less than or equal to {max}")));
            }
        }
        _ => {}
    }
    found
}

#[test]
fn the_constraints_are_the_models() {
    let model = Model::load();
    let mut checked = 0;
    for operation in Operation::NAMES {
        let (service, ways) = model.operation(operation);
        for place in places(&model, service, ways["input"].as_str().unwrap()) {
            if OWN_CONSTRAINTS.contains(&place.shape.as_str()) || is_unread(&place.path) {
                continue;
            }
            for (value, expected) in violations(model.shape(service, &place.shape)) {
                let mut body: Value = serde_json::from_str(&place.body(&value)).unwrap();
                add_required(&mut body, operation);
                let (exception, message) = said(operation, service, &body.to_string());
                assert_eq!(exception, "ValidationException", "{operation} {} {value}: {message}", place.path);
                assert!(message.contains(&expected), "{operation} {} {value}: {message}", place.path);
                checked += 1;
            }
        }
    }
    assert!(checked > 200, "only {checked} constraints were looked at");
}

/// What DynamoDB wants before it looks at constraints.
fn add_required(body: &mut Value, operation: &str) {
    let members = body.as_object_mut().unwrap();
    let mut add = |name: &str, value: Value| {
        members.entry(name).or_insert(value);
    };
    match operation {
        "CreateTable" | "UpdateTable" | "UpdateTimeToLive" => add("TableName", json!("abc")),
        "TagResource" | "UntagResource" | "ListTagsOfResource" => {
            add("ResourceArn", json!("arn:aws:dynamodb:us-east-1:000000000000:table/abc"));
        }
        _ => {}
    }
}

#[test]
fn required_members_are_missed() {
    let model = Model::load();
    for operation in Operation::NAMES {
        let (service, ways) = model.operation(operation);
        let shape = model.shape(service, ways["input"].as_str().unwrap());
        let (exception, message) = said(operation, service, "{}");
        for name in shape["required"].as_array().into_iter().flatten() {
            let name = name.as_str().unwrap();
            let told = message.contains(&lower_first(name))
                || message.contains(name)
                // One complaint comes alone.
                || message == "Invalid TableArn"
                || message.starts_with("The parameter 'TableName' is required");
            assert!(told, "{operation} {name}: {exception} {message}");
        }
    }
}

fn lower_first(name: &str) -> String {
    name[..1].to_ascii_lowercase() + &name[1..]
}

/// Checks that a value has the shape and no member that the model does not know. Returns the members that it has.
fn conforms(model: &Model, service: &str, name: &str, value: &Value, path: &str) {
    let shape = model.shape(service, name);
    let kind = shape["type"].as_str().unwrap();
    match (kind, value) {
        ("structure", Value::Object(members)) => {
            for (member, value) in members {
                let path = format!("{path}.{member}");
                let inner = shape["members"][member].as_str().unwrap_or_else(|| panic!("{path} is not in the model"));
                conforms(model, service, inner, value, &path);
            }
        }
        ("list", Value::Array(values)) => {
            values.iter().for_each(|value| conforms(model, service, shape["member"].as_str().unwrap(), value, path));
        }
        ("map", Value::Object(entries)) => {
            entries.values().for_each(|value| conforms(model, service, shape["value"].as_str().unwrap(), value, path));
        }
        ("string", Value::String(text)) => {
            if let Some(names) = shape["enum"].as_array() {
                assert!(names.contains(&json!(text)), "{path}: {text} is none of {names:?}");
            }
        }
        ("blob", Value::String(_)) | ("boolean", Value::Bool(_)) | ("double" | "timestamp", Value::Number(_)) => {}
        ("integer" | "long", Value::Number(number)) => assert!(number.is_i64(), "{path}: {number}"),
        _ => panic!("{path}: {value} is no {kind}"),
    }
}

#[test]
fn responses_have_the_models_shapes() {
    let model = Model::load();
    let mut seen = BTreeSet::new();
    for (operation, response) in samples::responses() {
        seen.insert(operation);
        let mut out = Vec::new();
        write_response(&response, &mut out);
        let (service, ways) = model.operation(operation);
        let Some(output) = ways["output"].as_str() else {
            assert!(out.is_empty(), "{operation} has no output");
            continue;
        };
        let body: Value = serde_json::from_slice(&out).unwrap();
        conforms(&model, service, output, &body, operation);
    }
    assert_eq!(seen, Operation::NAMES.iter().copied().collect());
}

/// The full samples lack no member of the model but those of features that are not offered.
#[test]
fn a_full_table_has_every_member() {
    let model = Model::load();
    let absent = |shape: &str, value: &Value| -> Vec<String> {
        let members = model.shape("dynamodb", shape)["members"].as_object().unwrap();
        members.keys().filter(|name| value[*name].is_null()).cloned().collect()
    };
    let mut out = Vec::new();
    write_response(&samples::full_table(), &mut out);
    let body: Value = serde_json::from_slice(&out).unwrap();
    let not_offered = [
        "ArchivalSummary",
        "DisassociationProtectionEnabled",
        "GlobalTableSettingsReplicationMode",
        "GlobalTableVersion",
        "GlobalTableWitnesses",
        "MultiRegionConsistency",
        "Replicas",
        "RestoreSummary",
        "VectorIndexes",
    ];
    let mut missing = absent("TableDescription", &body["Table"]);
    missing.sort();
    assert_eq!(missing, not_offered);
    assert!(absent("GlobalSecondaryIndexDescription", &body["Table"]["GlobalSecondaryIndexes"][0]).is_empty());
    assert!(absent("LocalSecondaryIndexDescription", &body["Table"]["LocalSecondaryIndexes"][0]).is_empty());
}

#[test]
fn errors_have_the_models_names_and_keys() {
    let model = Model::load();
    let cause = || Invalid::new(std::io::Error::other("why"));
    let item = Some(samples::item());
    let errors = [
        Error::ConditionalCheckFailed { item: item.clone() },
        Error::TransactionCanceled(vec![CancellationReason::ConditionalCheckFailed(item)]),
        Error::TransactionConflict,
        Error::IdempotentParameterMismatch(cause()),
        Error::ResourceNotFound(cause()),
        Error::ResourceInUse(cause()),
        Error::LimitExceeded(cause()),
        Error::ItemCollectionSizeLimitExceeded,
        Error::DuplicateItem,
        Error::ExpiredIterator { created: "1".to_owned(), now: "2".to_owned() },
        Error::TrimmedDataAccess(cause()),
        Error::internal("detail"),
    ];
    for error in errors {
        let fault = Fault::from(error);
        let body: Map<String, Value> = serde_json::from_slice(&fault.body()).unwrap();
        let known = ["dynamodb", "dynamodbstreams"]
            .iter()
            .find_map(|name| model.0[name]["errors"][fault.exception()].as_array());
        let known: BTreeSet<&str> = known.unwrap().iter().map(|name| name.as_str().unwrap()).collect();
        let written: BTreeSet<&str> = body.keys().map(String::as_str).filter(|name| *name != "__type").collect();
        assert_eq!(written, known, "{}", fault.exception());
        assert_eq!(body["__type"], format!("com.amazonaws.dynamodb.v20120810#{}", fault.exception()));
        assert!(!String::from_utf8(fault.body()).unwrap().contains("detail"), "the log's detail stays at home");
    }
}
