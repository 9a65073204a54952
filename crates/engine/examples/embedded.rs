//! The database as a library: no server, no network. `cargo run -p espalier-engine --example embedded`

use espalier_dynamo::item::Item;
use espalier_dynamo::operation::item::{GetItem, PutItem};
use espalier_dynamo::operation::page::Query;
use espalier_dynamo::operation::table::{
    AttributeDefinition, BillingMode, CreateTable, KeySchemaElement, KeyType, ScalarType,
};
use espalier_dynamo::{DynamoExt, Result, Value};
use espalier_engine::Engine;

fn main() -> Result<()> {
    let folder = std::env::temp_dir().join(format!("espalier-embedded-{}", std::process::id()));
    let engine = Engine::open(&folder)?;

    let attribute = |name: &str| AttributeDefinition { name: name.to_owned(), kind: ScalarType::S };
    let key = |name: &str, key_type| KeySchemaElement { name: name.to_owned(), key_type };
    engine.run(CreateTable {
        table_name: "Garden".to_owned(),
        attribute_definitions: vec![attribute("PK"), attribute("SK")],
        key_schema: vec![key("PK", KeyType::Hash), key("SK", KeyType::Range)],
        billing_mode: Some(BillingMode::PayPerRequest),
        ..CreateTable::default()
    })?;

    for (sort, name) in [("TREE#1", "Pear"), ("TREE#2", "Apple"), ("WALL#1", "South wall")] {
        let item = Item::from([("PK", "GARDEN#kew"), ("SK", sort), ("Name", name)]);
        engine.run(PutItem::new("Garden", item))?;
    }

    let key = Item::from([("PK", "GARDEN#kew"), ("SK", "TREE#1")]);
    let found = engine.run(GetItem::new("Garden", key))?;
    println!("one item:  {:?}", found.item.map(|item| item.to_map()));

    let trees = engine.run(Query {
        table_name: "Garden".to_owned(),
        key_condition_expression: Some("PK = :garden AND begins_with(SK, :tree)".to_owned()),
        values: Some(Item::from([(":garden", Value::from("GARDEN#kew")), (":tree", Value::from("TREE#"))])),
        ..Query::default()
    })?;
    println!("all trees: {} items", trees.count);

    // Closing is polite, not necessary: an acknowledged write is on disk already.
    engine.close()?;
    std::fs::remove_dir_all(&folder).ok();
    Ok(())
}
