//! Attribute values as a tree: what people build by hand, and what update expressions change.
//!
//! Stored and transported values stay in the encoded form of [`crate::item`]; this tree exists where a value
//! has to be taken apart and put together again.

use std::collections::{BTreeMap, BTreeSet};

use crate::number::Number;

/// The attributes of an item, or of a map inside one.
pub type Map = BTreeMap<String, Value>;

/// One attribute value of DynamoDB's ten types.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// String.
    S(String),
    /// Number.
    N(Number),
    /// Binary.
    B(Vec<u8>),
    /// Boolean.
    Bool(bool),
    /// Null.
    Null,
    /// Map.
    M(Map),
    /// List.
    L(Vec<Value>),
    /// String set, never empty.
    Ss(BTreeSet<String>),
    /// Number set, never empty.
    Ns(BTreeSet<Number>),
    /// Binary set, never empty.
    Bs(BTreeSet<Vec<u8>>),
}

/// The type of an attribute value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Type {
    /// String.
    S = 1,
    /// Number.
    N,
    /// Binary.
    B,
    /// Boolean.
    Bool,
    /// Null.
    Null,
    /// Map.
    M,
    /// List.
    L,
    /// String set.
    Ss,
    /// Number set.
    Ns,
    /// Binary set.
    Bs,
}

impl Type {
    /// All types, in the order in which DynamoDB lists them.
    pub const ALL: [Type; 10] =
        [Type::S, Type::N, Type::B, Type::Bool, Type::Null, Type::M, Type::L, Type::Ss, Type::Ns, Type::Bs];

    /// DynamoDB's name for the type, as in requests and in `attribute_type`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Type::S => "S",
            Type::N => "N",
            Type::B => "B",
            Type::Bool => "BOOL",
            Type::Null => "NULL",
            Type::M => "M",
            Type::L => "L",
            Type::Ss => "SS",
            Type::Ns => "NS",
            Type::Bs => "BS",
        }
    }

    /// The type of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Type> {
        Type::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

impl Value {
    /// The type of this value.
    #[must_use]
    pub fn kind(&self) -> Type {
        match self {
            Value::S(_) => Type::S,
            Value::N(_) => Type::N,
            Value::B(_) => Type::B,
            Value::Bool(_) => Type::Bool,
            Value::Null => Type::Null,
            Value::M(_) => Type::M,
            Value::L(_) => Type::L,
            Value::Ss(_) => Type::Ss,
            Value::Ns(_) => Type::Ns,
            Value::Bs(_) => Type::Bs,
        }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Value::S(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Value::S(text)
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Value::N(number.into())
    }
}

impl From<Number> for Value {
    fn from(number: Number) -> Self {
        Value::N(number)
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Value::Bool(value)
    }
}

impl From<Vec<Value>> for Value {
    fn from(list: Vec<Value>) -> Self {
        Value::L(list)
    }
}

impl From<Map> for Value {
    fn from(map: Map) -> Self {
        Value::M(map)
    }
}
