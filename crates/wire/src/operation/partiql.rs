//! ExecuteStatement, BatchExecuteStatement, ExecuteTransaction.

use espalier_dynamo::Operation;
use espalier_dynamo::operation::option::{ReturnConsumedCapacity, ReturnValuesOnConditionCheckFailure};
use espalier_dynamo::operation::partiql;

use super::transaction::ClientRequestToken;
use crate::attribute::Single;
use crate::fault::Fault;
use crate::fields::{Flag, List, Named, Nested, Required, Text, Whole, members};
use crate::request::Build;

/// The text of a statement.
type StatementText = Required<Text<1, 8_192>>;

members! {
    ExecuteStatement as "ExecuteStatementInput" {
        "Statement" statement: StatementText,
        "Parameters" parameters: List<Single, 1>,
        "ConsistentRead" consistent_read: Flag,
        "NextToken" next_token: Text<1, 32_768>,
        "ReturnConsumedCapacity" return_capacity: Named<ReturnConsumedCapacity>,
        "Limit" limit: Whole<1>,
        "ReturnValuesOnConditionCheckFailure" return_on_failure: Named<ReturnValuesOnConditionCheckFailure>,
    }
}

impl Build for ExecuteStatement {
    fn build(self) -> Result<Operation, Fault> {
        Ok(Operation::ExecuteStatement(partiql::ExecuteStatement {
            statement: partiql::ParameterizedStatement {
                statement: self.statement.get().text(),
                parameters: self.parameters.map(Single::value),
                return_on_failure: self.return_on_failure.get(),
            },
            consistent_read: self.consistent_read.0,
            next_token: self.next_token.0,
            limit: self.limit.0,
            return_capacity: self.return_capacity.get(),
        }))
    }
}

members! {
    BatchStatementRequest as "BatchStatementRequest" {
        "Statement" statement: StatementText,
        "Parameters" parameters: List<Single, 1>,
        "ConsistentRead" consistent_read: Flag,
        "ReturnValuesOnConditionCheckFailure" return_on_failure: Named<ReturnValuesOnConditionCheckFailure>,
    }
}

members! {
    BatchExecuteStatement as "BatchExecuteStatementInput" {
        "Statements" statements: Required<List<Nested<BatchStatementRequest>, 1, 25>>,
        "ReturnConsumedCapacity" return_capacity: Named<ReturnConsumedCapacity>,
    }
}

impl Build for BatchExecuteStatement {
    fn build(self) -> Result<Operation, Fault> {
        let statements = self.statements.get().map_or_empty(|member| {
            let request = member.0.unwrap_or_default();
            let statement = partiql::ParameterizedStatement {
                statement: request.statement.get().text(),
                parameters: request.parameters.map(Single::value),
                return_on_failure: request.return_on_failure.get(),
            };
            (statement, request.consistent_read.0)
        });
        let return_capacity = self.return_capacity.get();
        Ok(Operation::BatchExecuteStatement(partiql::BatchExecuteStatement { statements, return_capacity }))
    }
}

members! {
    ParameterizedStatement as "ParameterizedStatement" {
        "Statement" statement: StatementText,
        "Parameters" parameters: List<Single, 1>,
        "ReturnValuesOnConditionCheckFailure" return_on_failure: Named<ReturnValuesOnConditionCheckFailure>,
    }
}

members! {
    ExecuteTransaction as "ExecuteTransactionInput" {
        "TransactStatements" statements: Required<List<Nested<ParameterizedStatement>, 1, 100>>,
        "ClientRequestToken" token: ClientRequestToken,
        "ReturnConsumedCapacity" return_capacity: Named<ReturnConsumedCapacity>,
    }
}

impl Build for ExecuteTransaction {
    fn build(self) -> Result<Operation, Fault> {
        let statements = self.statements.get().map_or_empty(|member| {
            let request = member.0.unwrap_or_default();
            partiql::ParameterizedStatement {
                statement: request.statement.get().text(),
                parameters: request.parameters.map(Single::value),
                return_on_failure: request.return_on_failure.get(),
            }
        });
        Ok(Operation::ExecuteTransaction(partiql::ExecuteTransaction {
            statements,
            client_request_token: self.token.0,
            return_capacity: self.return_capacity.get(),
        }))
    }
}
