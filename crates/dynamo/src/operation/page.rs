//! Operations that read many items: Query and Scan.

use super::capacity::ConsumedCapacity;
use super::option::{ConditionalOperator, LegacyConditions, Names, ReturnConsumedCapacity, Select, Values};
use crate::item::Item;

/// Reads one partition of a table or index, in order of the sort key.
#[derive(Debug, Clone, Default)]
pub struct Query {
    /// The table's name or ARN.
    pub table_name: String,
    /// The index to read instead of the table.
    pub index_name: Option<String>,
    /// Which partition, and which part of it.
    pub key_condition_expression: Option<String>,
    /// Which of the items read to return.
    pub filter_expression: Option<String>,
    /// What to return of each item.
    pub projection_expression: Option<String>,
    /// Stand-ins for names.
    pub names: Names,
    /// Stand-ins for values.
    pub values: Values,
    /// Legacy form of the key condition.
    pub key_conditions: LegacyConditions,
    /// Legacy form of the filter.
    pub query_filter: LegacyConditions,
    /// Joins the legacy filters.
    pub conditional_operator: Option<ConditionalOperator>,
    /// Legacy form of the projection.
    pub attributes_to_get: Option<Vec<String>>,
    /// What to return of each item, in general.
    pub select: Option<Select>,
    /// Ascending unless false.
    pub scan_index_forward: Option<bool>,
    /// The most items to read.
    pub limit: Option<i64>,
    /// Where the previous page ended.
    pub exclusive_start_key: Option<Item>,
    /// Whether the read must see every acknowledged write.
    pub consistent_read: Option<bool>,
    /// What to tell about capacity.
    pub return_capacity: Option<ReturnConsumedCapacity>,
}

/// Reads a whole table or index.
#[derive(Debug, Clone, Default)]
pub struct Scan {
    /// The table's name or ARN.
    pub table_name: String,
    /// The index to read instead of the table.
    pub index_name: Option<String>,
    /// Which of the items read to return.
    pub filter_expression: Option<String>,
    /// What to return of each item.
    pub projection_expression: Option<String>,
    /// Stand-ins for names.
    pub names: Names,
    /// Stand-ins for values.
    pub values: Values,
    /// Legacy form of the filter.
    pub scan_filter: LegacyConditions,
    /// Joins the legacy filters.
    pub conditional_operator: Option<ConditionalOperator>,
    /// Legacy form of the projection.
    pub attributes_to_get: Option<Vec<String>>,
    /// What to return of each item, in general.
    pub select: Option<Select>,
    /// Which part of a parallel scan this is.
    pub segment: Option<i64>,
    /// Into how many parts a parallel scan is split.
    pub total_segments: Option<i64>,
    /// The most items to read.
    pub limit: Option<i64>,
    /// Where the previous page ended.
    pub exclusive_start_key: Option<Item>,
    /// Whether the read must see every acknowledged write.
    pub consistent_read: Option<bool>,
    /// What to tell about capacity.
    pub return_capacity: Option<ReturnConsumedCapacity>,
}

/// One page of a Query or Scan.
#[derive(Debug, Clone, Default)]
pub struct PageOutput {
    /// The items; `None` when only the count was asked for.
    pub items: Option<Vec<Item>>,
    /// How many items passed the filter.
    pub count: usize,
    /// How many items were read.
    pub scanned_count: usize,
    /// Where the next page starts, if there may be one.
    pub last_evaluated_key: Option<Item>,
    /// Capacity, when it was asked for.
    pub consumed_capacity: Option<ConsumedCapacity>,
}
