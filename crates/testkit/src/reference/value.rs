//! The reference's own attribute values: plain trees, read from and written to DynamoDB's JSON.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map as JsonMap, Value as Json, json};

use super::decimal::Decimal;

/// An item, or a nested map.
pub type Document = BTreeMap<String, Value>;

/// One attribute value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// Text.
    S(String),
    /// A number.
    N(Decimal),
    /// Bytes.
    B(Vec<u8>),
    /// True or false.
    Bool(bool),
    /// Null.
    Null,
    /// A map.
    M(Document),
    /// A list.
    L(Vec<Value>),
    /// A set of text.
    Ss(BTreeSet<String>),
    /// A set of numbers.
    Ns(BTreeSet<Decimal>),
    /// A set of bytes.
    Bs(BTreeSet<Vec<u8>>),
}

impl Value {
    /// The type's short name.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Value::S(_) => "S",
            Value::N(_) => "N",
            Value::B(_) => "B",
            Value::Bool(_) => "BOOL",
            Value::Null => "NULL",
            Value::M(_) => "M",
            Value::L(_) => "L",
            Value::Ss(_) => "SS",
            Value::Ns(_) => "NS",
            Value::Bs(_) => "BS",
        }
    }

    /// Billed bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        match self {
            Value::S(text) => text.len(),
            Value::N(number) => number.size(),
            Value::B(bytes) => bytes.len(),
            Value::Bool(_) | Value::Null => 1,
            Value::M(map) => 3 + map.len() + size(map),
            Value::L(list) => 3 + list.iter().map(|value| 1 + value.size()).sum::<usize>(),
            Value::Ss(set) => set.iter().map(String::len).sum(),
            Value::Ns(set) => set.iter().map(Decimal::size).sum(),
            Value::Bs(set) => set.iter().map(Vec::len).sum(),
        }
    }

    /// How two values of one ordered type compare.
    #[must_use]
    pub fn order(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Value::S(a), Value::S(b)) => Some(a.as_bytes().cmp(b.as_bytes())),
            (Value::N(a), Value::N(b)) => Some(a.cmp(b)),
            (Value::B(a), Value::B(b)) => Some(a.cmp(b)),
            _ => None,
        }
    }

    /// Whether the value is empty text or empty bytes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        matches!(self, Value::S(text) if text.is_empty()) || matches!(self, Value::B(bytes) if bytes.is_empty())
    }

    /// DynamoDB's JSON.
    #[must_use]
    pub fn to_json(&self) -> Json {
        match self {
            Value::S(text) => json!({ "S": text }),
            Value::N(number) => json!({ "N": number.to_string() }),
            Value::B(bytes) => json!({ "B": STANDARD.encode(bytes) }),
            Value::Bool(value) => json!({ "BOOL": value }),
            Value::Null => json!({ "NULL": true }),
            Value::M(map) => json!({ "M": to_json(map) }),
            Value::L(list) => json!({ "L": list.iter().map(Value::to_json).collect::<Vec<_>>() }),
            Value::Ss(set) => json!({ "SS": set }),
            Value::Ns(set) => json!({ "NS": set.iter().map(Decimal::to_string).collect::<Vec<_>>() }),
            Value::Bs(set) => json!({ "BS": set.iter().map(|bytes| STANDARD.encode(bytes)).collect::<Vec<_>>() }),
        }
    }

    /// Reads DynamoDB's JSON; `None` if it is not a value, or a number is not in its plain form.
    #[must_use]
    pub fn from_json(json: &Json) -> Option<Self> {
        let (kind, content) = json.as_object().filter(|object| object.len() == 1)?.iter().next()?;
        let texts =
            || content.as_array()?.iter().map(|member| member.as_str().map(str::to_owned)).collect::<Option<Vec<_>>>();
        Some(match kind.as_str() {
            "S" => Value::S(content.as_str()?.to_owned()),
            "N" => Value::N(plain(content.as_str()?)?),
            "B" => Value::B(STANDARD.decode(content.as_str()?).ok()?),
            "BOOL" => Value::Bool(content.as_bool()?),
            "NULL" => content.as_bool().filter(|is| *is).map(|_| Value::Null)?,
            "M" => Value::M(from_json(content)?),
            "L" => Value::L(content.as_array()?.iter().map(Value::from_json).collect::<Option<_>>()?),
            "SS" => Value::Ss(texts()?.into_iter().collect()),
            "NS" => Value::Ns(texts()?.iter().map(|text| plain(text)).collect::<Option<_>>()?),
            "BS" => Value::Bs(texts()?.iter().map(|text| STANDARD.decode(text).ok()).collect::<Option<_>>()?),
            _ => return None,
        })
    }
}

fn plain(text: &str) -> Option<Decimal> {
    Decimal::parse(text).filter(|number| number.to_string() == text)
}

/// Billed bytes of names and values together.
#[must_use]
pub fn size(item: &Document) -> usize {
    item.iter().map(|(name, value)| name.len() + value.size()).sum()
}

/// An item as DynamoDB's JSON.
#[must_use]
pub fn to_json(item: &Document) -> Json {
    Json::Object(item.iter().map(|(name, value)| (name.clone(), value.to_json())).collect::<JsonMap<_, _>>())
}

/// An item out of DynamoDB's JSON.
#[must_use]
pub fn from_json(json: &Json) -> Option<Document> {
    json.as_object()?.iter().map(|(name, value)| Some((name.clone(), Value::from_json(value)?))).collect()
}
