//! Responses that carry items.

use espalier_dynamo::operation::batch::{BatchGetItemOutput, BatchWrite, BatchWriteItemOutput, KeysAndAttributes};
use espalier_dynamo::operation::capacity::{ConsumedCapacity, ItemCollectionMetrics, Units};
use espalier_dynamo::operation::item::{GetItemOutput, WriteOutput};
use espalier_dynamo::operation::page::PageOutput;
use espalier_dynamo::operation::partiql::{
    BatchExecuteStatementOutput, BatchStatementOutput, ExecuteStatementOutput, ExecuteTransactionOutput,
};
use espalier_dynamo::operation::transaction::{TransactGetItemsOutput, TransactWriteItemsOutput};
use espalier_dynamo::{Error, Item};

use super::writer::{self, Object, list, string};
use crate::fault::statement_code;

/// PutItem, UpdateItem, DeleteItem.
pub(super) fn write(output: &WriteOutput, out: &mut Vec<u8>) {
    let mut object = Object::begin(out);
    object.optional_item("Attributes", output.attributes.as_ref());
    one_capacity(&mut object, output.consumed_capacity.as_ref());
    if let Some(metrics) = &output.item_collection_metrics {
        collection_metrics(object.member("ItemCollectionMetrics"), metrics);
    }
    object.end();
}

/// GetItem.
pub(super) fn get(output: &GetItemOutput, out: &mut Vec<u8>) {
    let mut object = Object::begin(out);
    object.optional_item("Item", output.item.as_ref());
    one_capacity(&mut object, output.consumed_capacity.as_ref());
    object.end();
}

/// Room for counts, the last key and capacity.
const PAGE_FRAME: usize = 512;

/// Query and Scan.
pub(super) fn page(output: &PageOutput, out: &mut Vec<u8>) {
    // JSON takes about half as much again as the encoded form; a page should not be copied while it grows.
    let encoded: usize = output.items.iter().flatten().map(|item| item.as_bytes().len()).sum();
    out.reserve(encoded + encoded / 2 + PAGE_FRAME);
    let mut object = Object::begin(out);
    if let Some(items) = &output.items {
        object.list("Items", items, writer::item);
    }
    object.integer("Count", output.count as i64);
    object.integer("ScannedCount", output.scanned_count as i64);
    object.optional_item("LastEvaluatedKey", output.last_evaluated_key.as_ref());
    one_capacity(&mut object, output.consumed_capacity.as_ref());
    object.end();
}

/// BatchGetItem.
pub(super) fn batch_get(output: &BatchGetItemOutput, out: &mut Vec<u8>) {
    let mut object = Object::begin(out);
    object.map("Responses", pairs(&output.responses), |out, items: &Vec<Item>| list(out, items, writer::item));
    object.map("UnprocessedKeys", pairs(&output.unprocessed), keys_and_attributes);
    capacities(&mut object, output.consumed_capacity.as_deref());
    object.end();
}

/// BatchWriteItem.
pub(super) fn batch_write(output: &BatchWriteItemOutput, out: &mut Vec<u8>) {
    let mut object = Object::begin(out);
    object.map("UnprocessedItems", pairs(&output.unprocessed), |out, writes: &Vec<BatchWrite>| {
        list(out, writes, batch_write_request);
    });
    metrics_by_table(&mut object, output.item_collection_metrics.as_deref());
    capacities(&mut object, output.consumed_capacity.as_deref());
    object.end();
}

/// TransactGetItems.
pub(super) fn transact_get(output: &TransactGetItemsOutput, out: &mut Vec<u8>) {
    let mut object = Object::begin(out);
    object.list("Responses", &output.items, item_response);
    capacities(&mut object, output.consumed_capacity.as_deref());
    object.end();
}

/// TransactWriteItems.
pub(super) fn transact_write(output: &TransactWriteItemsOutput, out: &mut Vec<u8>) {
    let mut object = Object::begin(out);
    metrics_by_table(&mut object, output.item_collection_metrics.as_deref());
    capacities(&mut object, output.consumed_capacity.as_deref());
    object.end();
}

/// ExecuteStatement.
pub(super) fn statement(output: &ExecuteStatementOutput, out: &mut Vec<u8>) {
    let mut object = Object::begin(out);
    object.list("Items", &output.items, writer::item);
    object.optional_text("NextToken", output.next_token.as_deref());
    object.optional_item("LastEvaluatedKey", output.last_evaluated_key.as_ref());
    one_capacity(&mut object, output.consumed_capacity.as_ref());
    object.end();
}

/// BatchExecuteStatement.
pub(super) fn batch_statement(output: &BatchExecuteStatementOutput, out: &mut Vec<u8>) {
    let mut object = Object::begin(out);
    object.list("Responses", &output.responses, |out, response: &BatchStatementOutput| {
        let mut object = Object::begin(out);
        match &response.result {
            Ok(item) => object.optional_item("Item", item.as_ref()),
            Err(error) => object.object("Error", |object| statement_error(object, error)),
        }
        object.optional_text("TableName", response.table_name.as_deref());
        object.end();
    });
    capacities(&mut object, output.consumed_capacity.as_deref());
    object.end();
}

/// ExecuteTransaction.
pub(super) fn transact_statement(output: &ExecuteTransactionOutput, out: &mut Vec<u8>) {
    let mut object = Object::begin(out);
    object.list("Responses", &output.items, item_response);
    capacities(&mut object, output.consumed_capacity.as_deref());
    object.end();
}

fn statement_error(object: &mut Object<'_>, error: &Error) {
    object.text("Code", statement_code(error));
    object.text("Message", &error.to_string());
    if let Error::ConditionalCheckFailed { item } = error {
        object.optional_item("Item", item.as_ref());
    }
}

fn item_response(out: &mut Vec<u8>, item: &Option<Item>) {
    let mut object = Object::begin(out);
    object.optional_item("Item", item.as_ref());
    object.end();
}

fn pairs<T>(entries: &[(String, T)]) -> impl Iterator<Item = (&String, &T)> {
    entries.iter().map(|(name, value)| (name, value))
}

fn keys_and_attributes(out: &mut Vec<u8>, table: &KeysAndAttributes) {
    let mut object = Object::begin(out);
    object.list("Keys", &table.keys, writer::item);
    if let Some(attributes) = &table.attributes_to_get {
        object.list("AttributesToGet", attributes, |out, name: &String| string(out, name));
    }
    if let Some(consistent) = table.consistent_read {
        object.flag("ConsistentRead", consistent);
    }
    object.optional_text("ProjectionExpression", table.projection_expression.as_deref());
    if let Some(names) = &table.names {
        object.map("ExpressionAttributeNames", names, |out, name: &String| string(out, name));
    }
    object.end();
}

fn batch_write_request(out: &mut Vec<u8>, write: &BatchWrite) {
    let (request, member, item) = match write {
        BatchWrite::Put(item) => ("PutRequest", "Item", item),
        BatchWrite::Delete(key) => ("DeleteRequest", "Key", key),
    };
    let mut object = Object::begin(out);
    object.object(request, |object| object.item(member, item));
    object.end();
}

fn one_capacity(object: &mut Object<'_>, capacity: Option<&ConsumedCapacity>) {
    if let Some(capacity) = capacity {
        consumed_capacity(object.member("ConsumedCapacity"), capacity);
    }
}

fn capacities(object: &mut Object<'_>, capacities: Option<&[ConsumedCapacity]>) {
    if let Some(capacities) = capacities {
        object.list("ConsumedCapacity", capacities, consumed_capacity);
    }
}

fn consumed_capacity(out: &mut Vec<u8>, capacity: &ConsumedCapacity) {
    let mut object = Object::begin(out);
    object.text("TableName", &capacity.table_name);
    units(&mut object, &capacity.units);
    if let Some(table) = &capacity.table {
        object.object("Table", |object| units(object, table));
    }
    for (name, indexes) in
        [("LocalSecondaryIndexes", &capacity.local_indexes), ("GlobalSecondaryIndexes", &capacity.global_indexes)]
    {
        if !indexes.is_empty() {
            object.map(name, indexes, |out, index: &Units| {
                let mut object = Object::begin(out);
                units(&mut object, index);
                object.end();
            });
        }
    }
    object.end();
}

fn units(object: &mut Object<'_>, units: &Units) {
    object.decimal("CapacityUnits", units.total);
    object.optional_decimal("ReadCapacityUnits", units.read);
    object.optional_decimal("WriteCapacityUnits", units.write);
}

fn metrics_by_table(object: &mut Object<'_>, metrics: Option<&[(String, Vec<ItemCollectionMetrics>)]>) {
    if let Some(metrics) = metrics {
        object.map("ItemCollectionMetrics", pairs(metrics), |out, tables: &Vec<ItemCollectionMetrics>| {
            list(out, tables, collection_metrics);
        });
    }
}

fn collection_metrics(out: &mut Vec<u8>, metrics: &ItemCollectionMetrics) {
    let mut object = Object::begin(out);
    object.item("ItemCollectionKey", &metrics.key);
    let range = [metrics.size_range_gb.0, metrics.size_range_gb.1];
    object.list("SizeEstimateRangeGB", &range, |out, bound: &f64| writer::decimal(out, *bound));
    object.end();
}
