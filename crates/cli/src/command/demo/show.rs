//! Items as a person reads them.

use espalier_dynamo::item::Item;
use espalier_dynamo::{Map, Value};

/// One line for an item.
pub(crate) fn item(item: &Item) -> String {
    map(&item.to_map())
}

fn map(attributes: &Map) -> String {
    let attributes: Vec<_> = attributes.iter().map(|(name, value)| format!("{name}: {}", text(value))).collect();
    format!("{{ {} }}", attributes.join(", "))
}

fn text(value: &Value) -> String {
    let listed = |parts: Vec<String>| format!("[{}]", parts.join(", "));
    match value {
        Value::S(text) => format!("\"{text}\""),
        Value::N(number) => number.to_string(),
        Value::B(bytes) => format!("{} bytes", bytes.len()),
        Value::Bool(truth) => truth.to_string(),
        Value::Null => "null".to_owned(),
        Value::M(attributes) => map(attributes),
        Value::L(values) => listed(values.iter().map(text).collect()),
        Value::Ss(set) => listed(set.iter().map(|text| format!("\"{text}\"")).collect()),
        Value::Ns(set) => listed(set.iter().map(ToString::to_string).collect()),
        Value::Bs(set) => listed(set.iter().map(|bytes| format!("{} bytes", bytes.len())).collect()),
    }
}
