//! Operations that take PartiQL text: ExecuteStatement, BatchExecuteStatement, ExecuteTransaction.

use super::capacity::ConsumedCapacity;
use super::option::{ReturnConsumedCapacity, ReturnValuesOnConditionCheckFailure};
use crate::error::Error;
use crate::item::Item;
use crate::value::Value;

/// One statement with its parameters.
#[derive(Debug, Clone, Default)]
pub struct ParameterizedStatement {
    /// The text.
    pub statement: String,
    /// Values for the question marks.
    pub parameters: Option<Vec<Value>>,
    /// What to return when a condition fails.
    pub return_on_failure: Option<ReturnValuesOnConditionCheckFailure>,
}

/// Runs one statement.
#[derive(Debug, Clone, Default)]
pub struct ExecuteStatement {
    /// The statement.
    pub statement: ParameterizedStatement,
    /// Whether the read must see every acknowledged write.
    pub consistent_read: Option<bool>,
    /// Where the previous page ended.
    pub next_token: Option<String>,
    /// The most items to read.
    pub limit: Option<i64>,
    /// What to tell about capacity.
    pub return_capacity: Option<ReturnConsumedCapacity>,
}

/// The answer of ExecuteStatement.
#[derive(Debug, Clone, Default)]
pub struct ExecuteStatementOutput {
    /// The items read, or returned by a write.
    pub items: Vec<Item>,
    /// Where the next page starts, for ExecuteStatement.
    pub next_token: Option<String>,
    /// Where the next page starts, as a key.
    pub last_evaluated_key: Option<Item>,
    /// Capacity, when it was asked for.
    pub consumed_capacity: Option<ConsumedCapacity>,
}

/// Runs up to 25 statements, each on its own.
#[derive(Debug, Clone)]
pub struct BatchExecuteStatement {
    /// The statements, each with its wish for a consistent read.
    pub statements: Vec<(ParameterizedStatement, Option<bool>)>,
    /// What to tell about capacity.
    pub return_capacity: Option<ReturnConsumedCapacity>,
}

/// The answer to one statement of a batch.
#[derive(Debug, Clone)]
pub struct BatchStatementOutput {
    /// The table the statement was about, when it could be told.
    pub table_name: Option<String>,
    /// The item, or what went wrong with this statement alone.
    pub result: Result<Option<Item>, Error>,
}

/// The answer of BatchExecuteStatement.
#[derive(Debug, Clone, Default)]
pub struct BatchExecuteStatementOutput {
    /// One entry per statement, in order.
    pub responses: Vec<BatchStatementOutput>,
    /// Capacity by table, when it was asked for.
    pub consumed_capacity: Option<Vec<ConsumedCapacity>>,
}

/// Runs up to 100 statements, all or nothing.
#[derive(Debug, Clone)]
pub struct ExecuteTransaction {
    /// The statements: all reads or all writes.
    pub statements: Vec<ParameterizedStatement>,
    /// Makes a retry within ten minutes harmless.
    pub client_request_token: Option<String>,
    /// What to tell about capacity.
    pub return_capacity: Option<ReturnConsumedCapacity>,
}

/// The answer of ExecuteTransaction.
#[derive(Debug, Clone, Default)]
pub struct ExecuteTransactionOutput {
    /// One entry per statement, in order; `None` where there is no item.
    pub items: Vec<Option<Item>>,
    /// Capacity by table, when it was asked for.
    pub consumed_capacity: Option<Vec<ConsumedCapacity>>,
}
