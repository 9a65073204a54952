//! PartiQL through the engine: what statements do, and what is said when they cannot. Sentences were observed on
//! Amazon (eu-west-2, 2026) or on DynamoDB Local 3.3.

mod pages;
mod reads;
mod several;
mod writes;

use espalier_dynamo::error::CancellationReason;
use espalier_dynamo::item::Item;
use espalier_dynamo::operation::item::{GetItem, PutItem};
use espalier_dynamo::operation::option::{ReturnConsumedCapacity, ReturnValuesOnConditionCheckFailure};
use espalier_dynamo::operation::partiql::*;
use espalier_dynamo::operation::table::*;
use espalier_dynamo::{DynamoExt, Error, Map, Value};
use espalier_engine::Engine;
use espalier_engine::partiql::{lower, parser};
use proptest::prelude::*;

/// An engine with a table of four items in one partition and one in another; one item is in no index.
fn engine() -> Engine {
    let engine = Engine::in_memory().expect("a database in memory");
    let attribute = |name: &str| AttributeDefinition { name: name.to_owned(), kind: ScalarType::S };
    let key = |name: &str, key_type| KeySchemaElement { name: name.to_owned(), key_type };
    let projection = |kind, names: &[&str]| Projection {
        kind: Some(kind),
        non_key_attributes: (!names.is_empty()).then(|| names.iter().map(|name| (*name).to_owned()).collect()),
    };
    let global = |name: &str, keys: &[&str], projection| GlobalIndex {
        name: name.to_owned(),
        key_schema: keys.iter().map(|name| key(name, KeyType::Hash)).collect(),
        projection,
        throughput: None,
        on_demand: None,
        warm: None,
    };
    let table = CreateTable {
        table_name: "Table".to_owned(),
        attribute_definitions: ["p", "s", "g", "h", "l"].map(attribute).to_vec(),
        key_schema: vec![key("p", KeyType::Hash), key("s", KeyType::Range)],
        local_indexes: Some(vec![LocalIndex {
            name: "local".to_owned(),
            key_schema: vec![key("p", KeyType::Hash), key("l", KeyType::Range)],
            projection: projection(ProjectionType::KeysOnly, &[]),
        }]),
        global_indexes: Some(vec![
            global("inc", &["g"], projection(ProjectionType::Include, &["proj"])),
            global("two", &["g", "h"], projection(ProjectionType::All, &[])),
        ]),
        billing_mode: Some(BillingMode::PayPerRequest),
        ..CreateTable::default()
    };
    engine.run(table).expect("a new table");
    let hash = CreateTable {
        table_name: "Hash".to_owned(),
        attribute_definitions: vec![AttributeDefinition { name: "k".to_owned(), kind: ScalarType::N }],
        key_schema: vec![key("k", KeyType::Hash)],
        billing_mode: Some(BillingMode::PayPerRequest),
        ..CreateTable::default()
    };
    engine.run(hash).expect("a new table");
    for (p, s, indexed) in [("a", "1", true), ("a", "2", true), ("a", "3", false), ("a", "4", true), ("b", "1", true)] {
        let mut item: Map = [
            ("p".to_owned(), p.into()),
            ("s".to_owned(), s.into()),
            ("n".to_owned(), s.parse::<i64>().expect("a digit").into()),
            ("m".to_owned(), Map::from([("x".to_owned(), Value::L(vec![1.into(), "q".into()]))]).into()),
            ("ss".to_owned(), Value::Ss(["a".to_owned(), "b".to_owned()].into())),
        ]
        .into();
        if indexed {
            item.insert("g".to_owned(), "g".into());
            item.insert("l".to_owned(), format!("l{s}").into());
            item.insert("proj".to_owned(), format!("proj{s}").into());
        }
        engine
            .run(PutItem { table_name: "Table".to_owned(), item: item.into(), ..PutItem::default() })
            .expect("an item that fits");
    }
    engine
}

fn show(value: &Value) -> String {
    match value {
        Value::S(text) => format!("'{text}'"),
        Value::N(number) => number.to_string(),
        Value::Bool(value) => value.to_string(),
        Value::Null => "null".to_owned(),
        Value::L(list) => format!("[{}]", list.iter().map(show).collect::<Vec<_>>().join(" ")),
        Value::M(map) => show_map(map),
        Value::Ss(set) => format!("<<{}>>", set.iter().cloned().collect::<Vec<_>>().join(" ")),
        Value::Ns(set) => format!("<<{}>>", set.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")),
        other => format!("{other:?}"),
    }
}

fn show_map(map: &Map) -> String {
    let members: Vec<String> = map.iter().map(|(name, value)| format!("{name}:{}", show(value))).collect();
    format!("{{{}}}", members.join(" "))
}

fn show_item(item: &Item) -> String {
    show_map(&item.to_map())
}

fn show_error(error: &Error) -> String {
    match error {
        Error::Validation(cause) => format!("! {cause}"),
        Error::ConditionalCheckFailed { item } => {
            format!("condition{}", item.as_ref().map(|item| format!(" {}", show_item(item))).unwrap_or_default())
        }
        Error::DuplicateItem => "duplicate".to_owned(),
        Error::ResourceNotFound(cause) => format!("not found: {cause}"),
        Error::TransactionCanceled(reasons) => {
            let reasons = reasons.iter().map(|reason| match reason {
                CancellationReason::ValidationError(cause) => format!("ValidationError: {cause}"),
                other => other.code().to_owned(),
            });
            format!("canceled [{}]", reasons.collect::<Vec<_>>().join(", "))
        }
        other => format!("{other:?}"),
    }
}

fn text(statement: &str) -> ParameterizedStatement {
    ParameterizedStatement { statement: statement.to_owned(), ..ParameterizedStatement::default() }
}

fn request(statement: &str) -> ExecuteStatement {
    ExecuteStatement { statement: text(statement), ..ExecuteStatement::default() }
}

fn answer(engine: &Engine, request: ExecuteStatement) -> String {
    match engine.run(request) {
        Ok(output) => output.items.iter().map(show_item).collect::<Vec<_>>().join(" "),
        Err(error) => show_error(&error),
    }
}

/// Runs statements one after the other.
fn check(engine: &Engine, cases: &[(&str, &str)]) {
    for (statement, expected) in cases {
        assert_eq!(answer(engine, request(statement)), *expected, "{statement}");
    }
}

/// Runs `SELECT s FROM Table WHERE …` and compares the sort keys in order.
fn check_where(engine: &Engine, cases: &[(&str, &str)]) {
    for (filter, expected) in cases {
        let found = match engine.run(request(&format!("SELECT p, s FROM \"Table\" WHERE {filter}"))) {
            Ok(output) => {
                let name = |item: &Item| item.to_map().values().map(show).collect::<String>().replace('\'', "");
                output.items.iter().map(name).collect::<Vec<_>>().join(" ")
            }
            Err(error) => show_error(&error),
        };
        assert_eq!(found, *expected, "{filter}");
    }
}

fn transact(engine: &Engine, statements: &[&str]) -> String {
    let request = ExecuteTransaction {
        statements: statements.iter().map(|statement| text(statement)).collect(),
        client_request_token: None,
        return_capacity: None,
    };
    match engine.run(request) {
        Ok(output) => {
            let items = output.items.iter().map(|item| item.as_ref().map_or("-".to_owned(), show_item));
            format!("[{}]", items.collect::<Vec<_>>().join(" "))
        }
        Err(error) => show_error(&error),
    }
}

fn batch(engine: &Engine, statements: &[&str]) -> Vec<String> {
    let request = BatchExecuteStatement {
        statements: statements.iter().map(|statement| (text(statement), None)).collect(),
        return_capacity: None,
    };
    match engine.run(request) {
        Ok(output) => {
            let each = output.responses.into_iter().map(|response| {
                let result = match &response.result {
                    Ok(item) => item.as_ref().map_or("-".to_owned(), show_item),
                    Err(error) => show_error(error),
                };
                format!("{}{result}", response.table_name.map(|name| format!("{name} ")).unwrap_or_default())
            });
            each.collect()
        }
        Err(error) => vec![show_error(&error)],
    }
}
