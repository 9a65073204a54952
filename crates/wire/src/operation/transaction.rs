//! TransactGetItems and TransactWriteItems.

use espalier_dynamo::Operation;
use espalier_dynamo::operation::option::{
    ReturnConsumedCapacity, ReturnItemCollectionMetrics, ReturnValuesOnConditionCheckFailure,
};
use espalier_dynamo::operation::transaction::{self, TransactAction};

use crate::attribute::{Attributes, ExpressionValues};
use crate::fault::Fault;
use crate::fields::{List, Named, Names, Nested, Required, TableName, Text, members};
use crate::request::{Build, invalid};

/// A rule about one item of a transaction.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TransactFault {
    /// No action.
    #[error("Invalid Request: TransactWriteRequest should contain Delete or Put or Update request")]
    NoAction,
    /// Several actions.
    #[error("TransactItems can only contain one of Check, Put, Update or Delete")]
    SeveralActions,
}

/// Makes a retry harmless.
pub(crate) type ClientRequestToken = Text<1, 36>;

members! {
    Get as "Get" {
        "Key" key: Required<Attributes>,
        "TableName" table_name: TableName,
        "ProjectionExpression" projection_expression: Text,
        "ExpressionAttributeNames" names: Names,
    }
}

members! {
    TransactGetItem as "TransactGetItem" {
        "Get" get: Required<Nested<Get>>,
    }
}

members! {
    TransactGetItems as "TransactGetItemsInput" {
        "ReturnConsumedCapacity" return_capacity: Named<ReturnConsumedCapacity>,
        "TransactItems" gets: Required<List<Nested<TransactGetItem>, 1, 100>>,
    }
}

impl Build for TransactGetItems {
    fn build(self) -> Result<Operation, Fault> {
        let gets = self.gets.get().map_or_empty(|member| {
            let get = member.0.and_then(|item| item.get.get().0).unwrap_or_default();
            transaction::TransactGet {
                table_name: get.table_name.text(),
                key: get.key.get().item(),
                projection_expression: get.projection_expression.0,
                names: get.names.0,
            }
        });
        let return_capacity = self.return_capacity.get();
        Ok(Operation::TransactGetItems(transaction::TransactGetItems { gets, return_capacity }))
    }
}

members! {
    ConditionCheck as "ConditionCheck" {
        "Key" key: Required<Attributes>,
        "TableName" table_name: TableName,
        "ConditionExpression" condition_expression: Required<Text>,
        "ExpressionAttributeNames" names: Names,
        "ExpressionAttributeValues" values: ExpressionValues,
        "ReturnValuesOnConditionCheckFailure" return_on_failure: Named<ReturnValuesOnConditionCheckFailure>,
    }
}

members! {
    Put as "Put" {
        "Item" item: Required<Attributes>,
        "TableName" table_name: TableName,
        "ConditionExpression" condition_expression: Text,
        "ExpressionAttributeNames" names: Names,
        "ExpressionAttributeValues" values: ExpressionValues,
        "ReturnValuesOnConditionCheckFailure" return_on_failure: Named<ReturnValuesOnConditionCheckFailure>,
    }
}

members! {
    Delete as "Delete" {
        "Key" key: Required<Attributes>,
        "TableName" table_name: TableName,
        "ConditionExpression" condition_expression: Text,
        "ExpressionAttributeNames" names: Names,
        "ExpressionAttributeValues" values: ExpressionValues,
        "ReturnValuesOnConditionCheckFailure" return_on_failure: Named<ReturnValuesOnConditionCheckFailure>,
    }
}

members! {
    Update as "Update" {
        "Key" key: Required<Attributes>,
        "UpdateExpression" update_expression: Required<Text>,
        "TableName" table_name: TableName,
        "ConditionExpression" condition_expression: Text,
        "ExpressionAttributeNames" names: Names,
        "ExpressionAttributeValues" values: ExpressionValues,
        "ReturnValuesOnConditionCheckFailure" return_on_failure: Named<ReturnValuesOnConditionCheckFailure>,
    }
}

members! {
    TransactWriteItem as "TransactWriteItem" {
        "ConditionCheck" check: Nested<ConditionCheck>,
        "Put" put: Nested<Put>,
        "Delete" delete: Nested<Delete>,
        "Update" update: Nested<Update>,
    }
}

members! {
    TransactWriteItems as "TransactWriteItemsInput" {
        "ReturnConsumedCapacity" return_capacity: Named<ReturnConsumedCapacity>,
        "ReturnItemCollectionMetrics" return_metrics: Named<ReturnItemCollectionMetrics>,
        "ClientRequestToken" token: ClientRequestToken,
        "TransactItems" writes: Required<List<Nested<TransactWriteItem>, 1, 100>>,
    }
}

impl Build for TransactWriteItems {
    fn build(self) -> Result<Operation, Fault> {
        let writes = self.writes.get().map_or_empty(|member| write(member.0.unwrap_or_default()));
        Ok(Operation::TransactWriteItems(transaction::TransactWriteItems {
            writes: writes.into_iter().collect::<Result<_, Fault>>()?,
            client_request_token: self.token.0,
            return_capacity: self.return_capacity.get(),
            return_metrics: self.return_metrics.get(),
        }))
    }
}

/// Takes the one action of an item; the members that all actions share are moved over as they are.
macro_rules! action {
    ($members:expr, $action:expr, $condition:expr) => {
        Ok(transaction::TransactWrite {
            table_name: $members.table_name.text(),
            action: $action,
            condition_expression: $condition,
            names: $members.names.0,
            values: $members.values.0,
            return_on_failure: $members.return_on_failure.get(),
        })
    };
}

fn write(item: TransactWriteItem) -> Result<transaction::TransactWrite, Fault> {
    match (item.check.0, item.put.0, item.delete.0, item.update.0) {
        (Some(check), None, None, None) => {
            let action = TransactAction::ConditionCheck(check.key.get().item());
            action!(check, action, check.condition_expression.get().0)
        }
        (None, Some(put), None, None) => {
            action!(put, TransactAction::Put(put.item.get().item()), put.condition_expression.0)
        }
        (None, None, Some(delete), None) => {
            action!(delete, TransactAction::Delete(delete.key.get().item()), delete.condition_expression.0)
        }
        (None, None, None, Some(update)) => {
            let update_expression = update.update_expression.get().text();
            let action = TransactAction::Update { key: update.key.get().item(), update_expression };
            action!(update, action, update.condition_expression.0)
        }
        (None, None, None, None) => Err(invalid(TransactFault::NoAction)),
        _ => Err(invalid(TransactFault::SeveralActions)),
    }
}
