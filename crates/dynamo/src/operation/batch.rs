//! Operations on many items without atomicity: BatchGetItem, BatchWriteItem.

use super::capacity::{ConsumedCapacity, ItemCollectionMetrics};
use super::option::{Names, ReturnConsumedCapacity, ReturnItemCollectionMetrics};
use crate::item::Item;

/// What to read from one table.
#[derive(Debug, Clone, Default)]
pub struct KeysAndAttributes {
    /// The primary keys.
    pub keys: Vec<Item>,
    /// What to return of each item.
    pub projection_expression: Option<String>,
    /// Stand-ins for names.
    pub names: Names,
    /// Legacy form of the projection.
    pub attributes_to_get: Option<Vec<String>>,
    /// Whether the read must see every acknowledged write.
    pub consistent_read: Option<bool>,
}

/// Reads up to 100 items.
#[derive(Debug, Clone)]
pub struct BatchGetItem {
    /// What to read, by table, in the order of the request.
    pub requests: Vec<(String, KeysAndAttributes)>,
    /// What to tell about capacity.
    pub return_capacity: Option<ReturnConsumedCapacity>,
}

/// The answer of BatchGetItem.
#[derive(Debug, Clone, Default)]
pub struct BatchGetItemOutput {
    /// The items found, by table.
    pub responses: Vec<(String, Vec<Item>)>,
    /// What did not fit into 16 MB.
    pub unprocessed: Vec<(String, KeysAndAttributes)>,
    /// Capacity by table, when it was asked for.
    pub consumed_capacity: Option<Vec<ConsumedCapacity>>,
}

/// One write of a batch.
#[derive(Debug, Clone)]
pub enum BatchWrite {
    /// Writes an item.
    Put(Item),
    /// Removes the item with that key.
    Delete(Item),
}

/// Writes up to 25 items.
#[derive(Debug, Clone)]
pub struct BatchWriteItem {
    /// What to write, by table, in the order of the request.
    pub requests: Vec<(String, Vec<BatchWrite>)>,
    /// What to tell about capacity.
    pub return_capacity: Option<ReturnConsumedCapacity>,
    /// What to tell about item collections.
    pub return_metrics: Option<ReturnItemCollectionMetrics>,
}

/// The answer of BatchWriteItem.
#[derive(Debug, Clone, Default)]
pub struct BatchWriteItemOutput {
    /// What was not written.
    pub unprocessed: Vec<(String, Vec<BatchWrite>)>,
    /// Capacity by table, when it was asked for.
    pub consumed_capacity: Option<Vec<ConsumedCapacity>>,
    /// Metrics by table, when they were asked for.
    pub item_collection_metrics: Option<Vec<(String, Vec<ItemCollectionMetrics>)>>,
}
