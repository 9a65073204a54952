//! Operations on many items, all or nothing: TransactGetItems, TransactWriteItems.

use super::capacity::{ConsumedCapacity, ItemCollectionMetrics};
use super::option::{
    Names, ReturnConsumedCapacity, ReturnItemCollectionMetrics, ReturnValuesOnConditionCheckFailure, Values,
};
use crate::item::Item;

/// One read of a transaction.
#[derive(Debug, Clone)]
pub struct TransactGet {
    /// The table's name or ARN.
    pub table_name: String,
    /// The primary key.
    pub key: Item,
    /// What to return of the item.
    pub projection_expression: Option<String>,
    /// Stand-ins for names.
    pub names: Names,
}

/// Reads up to 100 items at one instant.
#[derive(Debug, Clone)]
pub struct TransactGetItems {
    /// The reads.
    pub gets: Vec<TransactGet>,
    /// What to tell about capacity.
    pub return_capacity: Option<ReturnConsumedCapacity>,
}

/// The answer of TransactGetItems.
#[derive(Debug, Clone, Default)]
pub struct TransactGetItemsOutput {
    /// One entry per read, in order; `None` where there is no item.
    pub items: Vec<Option<Item>>,
    /// Capacity by table, when it was asked for.
    pub consumed_capacity: Option<Vec<ConsumedCapacity>>,
}

/// What one action of a transaction does.
#[derive(Debug, Clone)]
pub enum TransactAction {
    /// Writes a whole item.
    Put(Item),
    /// Changes the item with that key.
    Update {
        /// The primary key.
        key: Item,
        /// The change.
        update_expression: String,
    },
    /// Removes the item with that key.
    Delete(Item),
    /// Only checks the item with that key.
    ConditionCheck(Item),
}

/// One write of a transaction.
#[derive(Debug, Clone)]
pub struct TransactWrite {
    /// The table's name or ARN.
    pub table_name: String,
    /// What to do.
    pub action: TransactAction,
    /// Must hold for the transaction to happen.
    pub condition_expression: Option<String>,
    /// Stand-ins for names.
    pub names: Names,
    /// Stand-ins for values.
    pub values: Values,
    /// What to return when the condition fails.
    pub return_on_failure: Option<ReturnValuesOnConditionCheckFailure>,
}

/// Writes up to 100 items, all or nothing.
#[derive(Debug, Clone)]
pub struct TransactWriteItems {
    /// The writes.
    pub writes: Vec<TransactWrite>,
    /// Makes a retry within ten minutes harmless.
    pub client_request_token: Option<String>,
    /// What to tell about capacity.
    pub return_capacity: Option<ReturnConsumedCapacity>,
    /// What to tell about item collections.
    pub return_metrics: Option<ReturnItemCollectionMetrics>,
}

/// The answer of TransactWriteItems.
#[derive(Debug, Clone, Default)]
pub struct TransactWriteItemsOutput {
    /// Capacity by table, when it was asked for.
    pub consumed_capacity: Option<Vec<ConsumedCapacity>>,
    /// Metrics by table, when they were asked for.
    pub item_collection_metrics: Option<Vec<(String, Vec<ItemCollectionMetrics>)>>,
}
