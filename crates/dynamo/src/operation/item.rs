//! Operations on single items: PutItem, GetItem, UpdateItem, DeleteItem.

use super::capacity::{ConsumedCapacity, ItemCollectionMetrics};
use super::option::{
    ConditionalOperator, LegacyExpectations, LegacyUpdates, Names, ReturnConsumedCapacity, ReturnItemCollectionMetrics,
    ReturnValues, ReturnValuesOnConditionCheckFailure, Values,
};
use crate::item::Item;

/// Writes a whole item.
#[derive(Debug, Clone, Default)]
pub struct PutItem {
    /// The table's name or ARN.
    pub table_name: String,
    /// The item, key included.
    pub item: Item,
    /// Must hold for the write to happen.
    pub condition_expression: Option<String>,
    /// Stand-ins for names.
    pub names: Names,
    /// Stand-ins for values.
    pub values: Values,
    /// Legacy form of the condition.
    pub expected: LegacyExpectations,
    /// Joins the legacy conditions.
    pub conditional_operator: Option<ConditionalOperator>,
    /// What to return.
    pub return_values: Option<ReturnValues>,
    /// What to return when the condition fails.
    pub return_on_failure: Option<ReturnValuesOnConditionCheckFailure>,
    /// What to tell about capacity.
    pub return_capacity: Option<ReturnConsumedCapacity>,
    /// What to tell about the item collection.
    pub return_metrics: Option<ReturnItemCollectionMetrics>,
}

/// Changes attributes of an item, or creates it.
#[derive(Debug, Clone, Default)]
pub struct UpdateItem {
    /// The table's name or ARN.
    pub table_name: String,
    /// The primary key.
    pub key: Item,
    /// The change.
    pub update_expression: Option<String>,
    /// Must hold for the write to happen.
    pub condition_expression: Option<String>,
    /// Stand-ins for names.
    pub names: Names,
    /// Stand-ins for values.
    pub values: Values,
    /// Legacy form of the change.
    pub attribute_updates: LegacyUpdates,
    /// Legacy form of the condition.
    pub expected: LegacyExpectations,
    /// Joins the legacy conditions.
    pub conditional_operator: Option<ConditionalOperator>,
    /// What to return.
    pub return_values: Option<ReturnValues>,
    /// What to return when the condition fails.
    pub return_on_failure: Option<ReturnValuesOnConditionCheckFailure>,
    /// What to tell about capacity.
    pub return_capacity: Option<ReturnConsumedCapacity>,
    /// What to tell about the item collection.
    pub return_metrics: Option<ReturnItemCollectionMetrics>,
}

/// Removes an item.
#[derive(Debug, Clone, Default)]
pub struct DeleteItem {
    /// The table's name or ARN.
    pub table_name: String,
    /// The primary key.
    pub key: Item,
    /// Must hold for the write to happen.
    pub condition_expression: Option<String>,
    /// Stand-ins for names.
    pub names: Names,
    /// Stand-ins for values.
    pub values: Values,
    /// Legacy form of the condition.
    pub expected: LegacyExpectations,
    /// Joins the legacy conditions.
    pub conditional_operator: Option<ConditionalOperator>,
    /// What to return.
    pub return_values: Option<ReturnValues>,
    /// What to return when the condition fails.
    pub return_on_failure: Option<ReturnValuesOnConditionCheckFailure>,
    /// What to tell about capacity.
    pub return_capacity: Option<ReturnConsumedCapacity>,
    /// What to tell about the item collection.
    pub return_metrics: Option<ReturnItemCollectionMetrics>,
}

/// The answer of the three writes.
#[derive(Debug, Clone, Default)]
pub struct WriteOutput {
    /// Attributes, when they were asked for and there are any.
    pub attributes: Option<Item>,
    /// Capacity, when it was asked for.
    pub consumed_capacity: Option<ConsumedCapacity>,
    /// Metrics, when they were asked for and the table has local indexes.
    pub item_collection_metrics: Option<ItemCollectionMetrics>,
}

/// Reads one item.
#[derive(Debug, Clone, Default)]
pub struct GetItem {
    /// The table's name or ARN.
    pub table_name: String,
    /// The primary key.
    pub key: Item,
    /// What to return of the item.
    pub projection_expression: Option<String>,
    /// Stand-ins for names.
    pub names: Names,
    /// Legacy form of the projection.
    pub attributes_to_get: Option<Vec<String>>,
    /// Whether the read must see every acknowledged write.
    pub consistent_read: Option<bool>,
    /// What to tell about capacity.
    pub return_capacity: Option<ReturnConsumedCapacity>,
}

/// The answer of GetItem.
#[derive(Debug, Clone, Default)]
pub struct GetItemOutput {
    /// The item, if there is one.
    pub item: Option<Item>,
    /// Capacity, when it was asked for.
    pub consumed_capacity: Option<ConsumedCapacity>,
}

impl PutItem {
    /// Writes an item, without conditions or wishes.
    pub fn new(table_name: impl Into<String>, item: Item) -> Self {
        Self { table_name: table_name.into(), item, ..Self::default() }
    }
}

impl UpdateItem {
    /// Changes an item, without conditions or wishes.
    pub fn new(table_name: impl Into<String>, key: Item, update_expression: impl Into<String>) -> Self {
        let update_expression = Some(update_expression.into());
        Self { table_name: table_name.into(), key, update_expression, ..Self::default() }
    }
}

impl DeleteItem {
    /// Removes an item, without conditions or wishes.
    pub fn new(table_name: impl Into<String>, key: Item) -> Self {
        Self { table_name: table_name.into(), key, ..Self::default() }
    }
}

impl GetItem {
    /// Reads an item, eventually consistent.
    pub fn new(table_name: impl Into<String>, key: Item) -> Self {
        Self { table_name: table_name.into(), key, ..Self::default() }
    }
}
