//! Key conditions: which partition a Query reads, and which part of it.

use crate::error::Result;
use crate::item::Encoded;
use crate::operation::table::ScalarType;

/// The key of a table or index; several attributes on a side only for global indexes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeySchema {
    /// The partition key.
    pub partition: Vec<KeyAttribute>,
    /// The sort key; empty if there is none.
    pub sort: Vec<KeyAttribute>,
}

/// One attribute of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyAttribute {
    /// Its name.
    pub name: String,
    /// Its type.
    pub kind: ScalarType,
}

/// Conditions on key attributes, each attribute once; not yet held against a key schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyCondition {
    tests: Vec<(String, KeyTest)>,
}

/// A condition on one key attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyTest {
    /// Equal.
    Equal(Encoded),
    /// Any other condition, which only the last sort attribute may have.
    Range(SortRange),
}

/// What a Query reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyRange {
    /// The partition key.
    pub partition: Vec<Encoded>,
    /// The leading sort attributes that are fixed.
    pub sort_equals: Vec<Encoded>,
    /// The range of the sort attribute after those.
    pub sort: SortRange,
}

/// A range of sort keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SortRange {
    /// All.
    All,
    /// Below.
    Less(Encoded),
    /// At most.
    LessOrEqual(Encoded),
    /// Above.
    Greater(Encoded),
    /// At least.
    GreaterOrEqual(Encoded),
    /// From one to the other, both included.
    Between(Encoded, Encoded),
    /// With that prefix.
    BeginsWith(Encoded),
}

impl KeyCondition {
    /// Conditions on attributes, each of which is named once.
    #[must_use]
    pub fn from_tests(tests: Vec<(String, KeyTest)>) -> Self {
        Self { tests }
    }

    /// The attributes that have conditions.
    pub fn attributes(&self) -> impl Iterator<Item = &str> {
        self.tests.iter().map(|(name, _)| name.as_str())
    }

    /// The range that the conditions select under a key schema.
    pub fn resolve(&self, _schema: &KeySchema) -> Result<KeyRange> {
        unimplemented!()
    }
}
