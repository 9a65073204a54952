//! The shop: customers with their orders, products with their stock, and carts that expire, in one table.
//!
//! | Entity | PK | SK | by-status |
//! |---|---|---|---|
//! | Customer | `CUSTOMER#id` | `PROFILE` | |
//! | Order | `CUSTOMER#id` | `ORDER#date#number` | `OPEN` or `SHIPPED`, by date |
//! | Cart | `CUSTOMER#id` | `CART` | expires by time to live |
//! | Product | `PRODUCT#id` | `STOCK` | |

use espalier_dynamo::item::Item;
use espalier_dynamo::operation::table::{
    AttributeDefinition, BillingMode, CreateTable, GlobalIndex, KeySchemaElement, KeyType, Projection, ProjectionType,
    ScalarType, StreamSpecification, StreamViewType,
};
use espalier_dynamo::{Map, Value};

/// The table's name.
pub(crate) const TABLE: &str = "shop";
/// The index over orders.
pub(crate) const BY_STATUS: &str = "by-status";
/// The attribute that holds when a cart expires.
pub(crate) const EXPIRES: &str = "Expires";

/// The table of the shop.
pub(crate) fn table() -> CreateTable {
    let attribute = |name: &str| AttributeDefinition { name: name.to_owned(), kind: ScalarType::S };
    let key = |name: &str, key_type| KeySchemaElement { name: name.to_owned(), key_type };
    CreateTable {
        table_name: TABLE.to_owned(),
        attribute_definitions: ["PK", "SK", "Status", "PlacedAt"].map(attribute).to_vec(),
        key_schema: vec![key("PK", KeyType::Hash), key("SK", KeyType::Range)],
        global_indexes: Some(vec![GlobalIndex {
            name: BY_STATUS.to_owned(),
            key_schema: vec![key("Status", KeyType::Hash), key("PlacedAt", KeyType::Range)],
            projection: Projection { kind: Some(ProjectionType::All), non_key_attributes: None },
            throughput: None,
            on_demand: None,
            warm: None,
        }]),
        billing_mode: Some(BillingMode::PayPerRequest),
        stream: Some(StreamSpecification { enabled: true, view_type: Some(StreamViewType::NewAndOldImages) }),
        ..CreateTable::default()
    }
}

/// A customer.
pub(crate) fn customer(id: &str, name: &str, town: &str) -> Item {
    let mut attributes = keys(&format!("CUSTOMER#{id}"), "PROFILE");
    attributes.extend([field("Name", name), field("Town", town), field("Orders", 0)]);
    attributes.into()
}

/// An order.
pub(crate) fn order(customer: &str, number: i64, placed_at: &str, status: &str, lines: &[(&str, i64)]) -> Item {
    let mut attributes = keys(&format!("CUSTOMER#{customer}"), &format!("ORDER#{placed_at}#{number}"));
    let lines =
        lines.iter().map(|(product, count)| Value::M([field("Product", *product), field("Count", *count)].into()));
    attributes.extend([
        field("Order", number),
        field("PlacedAt", placed_at),
        field("Status", status),
        field("Lines", Value::L(lines.collect())),
    ]);
    attributes.into()
}

/// A product.
pub(crate) fn product(id: &str, name: &str, cents: i64, stock: i64) -> Item {
    let mut attributes = keys(&format!("PRODUCT#{id}"), "STOCK");
    attributes.extend([field("Name", name), field("Cents", cents), field("Stock", stock)]);
    attributes.into()
}

/// A cart that is forgotten at that second.
pub(crate) fn cart(customer: &str, product: &str, expires: i64) -> Item {
    let mut attributes = keys(&format!("CUSTOMER#{customer}"), "CART");
    attributes.extend([field("Product", product), field(EXPIRES, expires)]);
    attributes.into()
}

/// A primary key.
pub(crate) fn key(partition: &str, sort: &str) -> Item {
    keys(partition, sort).into()
}

/// Everything that is there when the shop opens.
pub(crate) fn stock() -> Vec<Item> {
    vec![
        customer("mira", "Mira Lindqvist", "Uppsala"),
        customer("tomas", "Tomás Herrera", "Valencia"),
        customer("aiko", "Aiko Tanaka", "Kyoto"),
        product("pear", "Pear tree, espaliered", 8_900, 4),
        product("fig", "Fig tree in a pot", 4_900, 12),
        product("wire", "Training wire, 50 m", 1_450, 200),
        product("shears", "Pruning shears", 3_200, 35),
        product("last", "The last quince of the season", 12_000, 1),
        order("mira", 1001, "2026-03-02T09:15:00Z", "SHIPPED", &[("fig", 1), ("wire", 2)]),
        order("mira", 1004, "2026-04-18T17:40:00Z", "OPEN", &[("shears", 1)]),
        order("tomas", 1002, "2026-03-11T12:05:00Z", "SHIPPED", &[("pear", 2), ("wire", 4)]),
        order("tomas", 1005, "2026-04-20T08:30:00Z", "OPEN", &[("wire", 1)]),
        order("aiko", 1003, "2026-04-01T22:10:00Z", "OPEN", &[("pear", 1), ("shears", 1)]),
    ]
}

fn keys(partition: &str, sort: &str) -> Map {
    [field("PK", partition), field("SK", sort)].into()
}

fn field(name: &str, value: impl Into<Value>) -> (String, Value) {
    (name.to_owned(), value.into())
}
