//! PutItem, GetItem, UpdateItem, DeleteItem.

use espalier_dynamo::Operation;
use espalier_dynamo::operation::item;
use espalier_dynamo::operation::option::{
    ConditionalOperator, ReturnConsumedCapacity, ReturnItemCollectionMetrics, ReturnValues,
    ReturnValuesOnConditionCheckFailure,
};

use super::legacy::{self, AttributesToGet, Expectations, Updates};
use crate::attribute::{Attributes, ExpressionValues};
use crate::fault::Fault;
use crate::fields::{Flag, Named, Names, Required, TableName, Text, members};
use crate::request::Build;

members! {
    PutItem as "PutItemInput" {
        "ReturnConsumedCapacity" return_capacity: Named<ReturnConsumedCapacity>,
        "TableName" table_name: TableName,
        "Item" item: Required<Attributes>,
        "ConditionalOperator" conditional_operator: Named<ConditionalOperator>,
        "Expected" expected: Expectations,
        "ReturnValues" return_values: Named<ReturnValues>,
        "ReturnItemCollectionMetrics" return_metrics: Named<ReturnItemCollectionMetrics>,
        "ReturnValuesOnConditionCheckFailure" return_on_failure: Named<ReturnValuesOnConditionCheckFailure>,
        "ConditionExpression" condition_expression: Text,
        "ExpressionAttributeValues" values: ExpressionValues,
        "ExpressionAttributeNames" names: Names,
    }
}

impl Build for PutItem {
    fn build(self) -> Result<Operation, Fault> {
        Ok(Operation::PutItem(item::PutItem {
            table_name: self.table_name.text(),
            item: self.item.get().item(),
            condition_expression: self.condition_expression.0,
            names: self.names.0,
            values: self.values.0,
            expected: legacy::expectations(self.expected),
            conditional_operator: self.conditional_operator.get(),
            return_values: self.return_values.get(),
            return_on_failure: self.return_on_failure.get(),
            return_capacity: self.return_capacity.get(),
            return_metrics: self.return_metrics.get(),
        }))
    }
}

members! {
    GetItem as "GetItemInput" {
        "ReturnConsumedCapacity" return_capacity: Named<ReturnConsumedCapacity>,
        "AttributesToGet" attributes_to_get: AttributesToGet,
        "TableName" table_name: TableName,
        "Key" key: Required<Attributes>,
        "ConsistentRead" consistent_read: Flag,
        "ProjectionExpression" projection_expression: Text,
        "ExpressionAttributeNames" names: Names,
    }
}

impl Build for GetItem {
    fn build(self) -> Result<Operation, Fault> {
        Ok(Operation::GetItem(item::GetItem {
            table_name: self.table_name.text(),
            key: self.key.get().item(),
            projection_expression: self.projection_expression.0,
            names: self.names.0,
            attributes_to_get: legacy::attributes_to_get(self.attributes_to_get),
            consistent_read: self.consistent_read.0,
            return_capacity: self.return_capacity.get(),
        }))
    }
}

members! {
    UpdateItem as "UpdateItemInput" {
        "ReturnConsumedCapacity" return_capacity: Named<ReturnConsumedCapacity>,
        "TableName" table_name: TableName,
        "ReturnItemCollectionMetrics" return_metrics: Named<ReturnItemCollectionMetrics>,
        "ReturnValues" return_values: Named<ReturnValues>,
        "ReturnValuesOnConditionCheckFailure" return_on_failure: Named<ReturnValuesOnConditionCheckFailure>,
        "Key" key: Required<Attributes>,
        "ConditionalOperator" conditional_operator: Named<ConditionalOperator>,
        "Expected" expected: Expectations,
        "AttributeUpdates" attribute_updates: Updates,
        "ConditionExpression" condition_expression: Text,
        "UpdateExpression" update_expression: Text,
        "ExpressionAttributeValues" values: ExpressionValues,
        "ExpressionAttributeNames" names: Names,
    }
}

impl Build for UpdateItem {
    fn build(self) -> Result<Operation, Fault> {
        Ok(Operation::UpdateItem(item::UpdateItem {
            table_name: self.table_name.text(),
            key: self.key.get().item(),
            update_expression: self.update_expression.0,
            condition_expression: self.condition_expression.0,
            names: self.names.0,
            values: self.values.0,
            attribute_updates: legacy::updates(self.attribute_updates),
            expected: legacy::expectations(self.expected),
            conditional_operator: self.conditional_operator.get(),
            return_values: self.return_values.get(),
            return_on_failure: self.return_on_failure.get(),
            return_capacity: self.return_capacity.get(),
            return_metrics: self.return_metrics.get(),
        }))
    }
}

members! {
    DeleteItem as "DeleteItemInput" {
        "ReturnConsumedCapacity" return_capacity: Named<ReturnConsumedCapacity>,
        "TableName" table_name: TableName,
        "ReturnItemCollectionMetrics" return_metrics: Named<ReturnItemCollectionMetrics>,
        "ReturnValues" return_values: Named<ReturnValues>,
        "ReturnValuesOnConditionCheckFailure" return_on_failure: Named<ReturnValuesOnConditionCheckFailure>,
        "Key" key: Required<Attributes>,
        "ConditionalOperator" conditional_operator: Named<ConditionalOperator>,
        "Expected" expected: Expectations,
        "ConditionExpression" condition_expression: Text,
        "ExpressionAttributeValues" values: ExpressionValues,
        "ExpressionAttributeNames" names: Names,
    }
}

impl Build for DeleteItem {
    fn build(self) -> Result<Operation, Fault> {
        Ok(Operation::DeleteItem(item::DeleteItem {
            table_name: self.table_name.text(),
            key: self.key.get().item(),
            condition_expression: self.condition_expression.0,
            names: self.names.0,
            values: self.values.0,
            expected: legacy::expectations(self.expected),
            conditional_operator: self.conditional_operator.get(),
            return_values: self.return_values.get(),
            return_on_failure: self.return_on_failure.get(),
            return_capacity: self.return_capacity.get(),
            return_metrics: self.return_metrics.get(),
        }))
    }
}
