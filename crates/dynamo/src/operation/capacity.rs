//! Consumed capacity and item collection metrics, as responses report them.

use std::collections::BTreeMap;

use crate::item::Item;

/// Units consumed by one table or index. Reads and writes are told apart only where DynamoDB does so.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Units {
    /// The sum.
    pub total: f64,
    /// The part of it that was reading.
    pub read: Option<f64>,
    /// The part of it that was writing.
    pub write: Option<f64>,
}

/// Capacity consumed on one table by a request.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ConsumedCapacity {
    /// The table, named as in the request.
    pub table_name: String,
    /// The sum over the table and its indexes.
    pub units: Units,
    /// The table alone, when details were asked for.
    pub table: Option<Units>,
    /// Each local index, when details were asked for.
    pub local_indexes: BTreeMap<String, Units>,
    /// Each global index, when details were asked for.
    pub global_indexes: BTreeMap<String, Units>,
}

/// The size of the item collection a write went to; only tables with local indexes have them.
#[derive(Debug, Clone, PartialEq)]
pub struct ItemCollectionMetrics {
    /// The partition key.
    pub key: Item,
    /// Lower and upper estimate in gigabytes.
    pub size_range_gb: (f64, f64),
}
