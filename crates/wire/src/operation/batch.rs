//! BatchGetItem and BatchWriteItem.

use espalier_dynamo::Operation;
use espalier_dynamo::operation::batch;
use espalier_dynamo::operation::option::{ReturnConsumedCapacity, ReturnItemCollectionMetrics};

use super::legacy::{self, AttributesToGet};
use crate::attribute::{AttributeFault, Attributes};
use crate::constraint::{Constraint, Path, Violations, is_name};
use crate::fault::Fault;
use crate::fields::{Dictionary, Flag, List, Member, Named, Names, Nested, Required, Text, members};
use crate::request::{Build, invalid};

/// The most keys in one BatchGetItem.
const KEYS_MAX: usize = 100;
/// The most writes in one BatchWriteItem.
const WRITES_MAX: usize = 25;

/// A rule about a batch as a whole.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BatchFault {
    /// No table at all.
    #[error("The requestItems parameter is required for {0}")]
    Empty(&'static str),
    /// Too many keys over several tables.
    #[error("Too many items requested for the BatchGetItem call")]
    TooManyKeys,
}

members! {
    KeysAndAttributes as "KeysAndAttributes" {
        "Keys" keys: Required<List<Attributes, 1>>,
        "AttributesToGet" attributes_to_get: AttributesToGet,
        "ConsistentRead" consistent_read: Flag,
        "ProjectionExpression" projection_expression: Text,
        "ExpressionAttributeNames" names: Names,
    }
}

members! {
    BatchGetItem as "BatchGetItemInput" {
        "ReturnConsumedCapacity" return_capacity: Named<ReturnConsumedCapacity>,
        "RequestItems" requests: Required<Dictionary<Nested<KeysAndAttributes>>>,
    }
}

impl BatchGetItem {
    fn key_counts(&self) -> impl Iterator<Item = (&str, usize)> {
        let tables = self.requests.view().0.iter().flatten();
        tables.map(|(name, member)| (name.as_str(), member.0.as_ref().map_or(0, |table| table.keys.view().len())))
    }
}

impl Build for BatchGetItem {
    fn prepare(&self) -> Result<(), Fault> {
        refuse_empty(&self.requests.view().0, "BatchGetItem")
    }

    fn review(&self, found: &mut Violations) {
        review_table_names(self.requests.view(), found);
        for (name, count) in self.key_counts() {
            if count > KEYS_MAX {
                found.add_terse(format!("RequestItems.{name}.member.Keys"), Constraint::LengthMax(KEYS_MAX));
            }
        }
    }

    fn build(self) -> Result<Operation, Fault> {
        if self.key_counts().map(|(_, count)| count).sum::<usize>() > KEYS_MAX {
            return Err(invalid(BatchFault::TooManyKeys));
        }
        let requests = self.requests.get().map_or_empty(|member| {
            let table = member.0.unwrap_or_default();
            batch::KeysAndAttributes {
                keys: table.keys.get().map_or_empty(Attributes::item),
                projection_expression: table.projection_expression.0,
                names: table.names.0,
                attributes_to_get: legacy::attributes_to_get(table.attributes_to_get),
                consistent_read: table.consistent_read.0,
            }
        });
        Ok(Operation::BatchGetItem(batch::BatchGetItem { requests, return_capacity: self.return_capacity.get() }))
    }
}

members! {
    PutRequest as "PutRequest" {
        "Item" item: Required<Attributes>,
    }
}

members! {
    DeleteRequest as "DeleteRequest" {
        "Key" key: Required<Attributes>,
    }
}

members! {
    WriteRequest as "WriteRequest" {
        "DeleteRequest" delete: Nested<DeleteRequest>,
        "PutRequest" put: Nested<PutRequest>,
    }
}

members! {
    BatchWriteItem as "BatchWriteItemInput" {
        "ReturnConsumedCapacity" return_capacity: Named<ReturnConsumedCapacity>,
        "ReturnItemCollectionMetrics" return_metrics: Named<ReturnItemCollectionMetrics>,
        "RequestItems" requests: Required<Dictionary<List<Nested<WriteRequest>>, true>>,
    }
}

impl Build for BatchWriteItem {
    fn prepare(&self) -> Result<(), Fault> {
        refuse_empty(&self.requests.view().0, "BatchWriteItem")
    }

    fn review(&self, found: &mut Violations) {
        review_table_names(self.requests.view(), found);
        let lengths: Vec<usize> = self.requests.view().0.iter().flatten().map(|(_, writes)| writes.len()).collect();
        if lengths.contains(&0) || lengths.iter().sum::<usize>() > WRITES_MAX {
            let shown = self.requests.shown();
            found.add(&Path::Member(&Path::Root, "RequestItems"), shown, Constraint::MapValues(WRITES_MAX));
        }
    }

    fn build(self) -> Result<Operation, Fault> {
        let mut requests = Vec::new();
        for (table, writes) in self.requests.get().map_or_empty(|writes| writes.map_or_empty(write)) {
            requests.push((table, writes.into_iter().collect::<Result<Vec<_>, Fault>>()?));
        }
        Ok(Operation::BatchWriteItem(batch::BatchWriteItem {
            requests,
            return_capacity: self.return_capacity.get(),
            return_metrics: self.return_metrics.get(),
        }))
    }
}

/// Either of the two; DynamoDB words neither and both like an attribute value of several types.
fn write(member: Nested<WriteRequest>) -> Result<batch::BatchWrite, Fault> {
    let request = member.0.unwrap_or_default();
    match (request.put.0, request.delete.0) {
        (Some(put), None) => Ok(batch::BatchWrite::Put(put.item.get().item())),
        (None, Some(delete)) => Ok(batch::BatchWrite::Delete(delete.key.get().item())),
        _ => Err(invalid(AttributeFault::MoreThanOne)),
    }
}

fn refuse_empty<T>(requests: &Option<Vec<T>>, operation: &'static str) -> Result<(), Fault> {
    match requests {
        Some(requests) if requests.is_empty() => Err(invalid(BatchFault::Empty(operation))),
        _ => Ok(()),
    }
}

/// The keys of the map are table names or ARNs; a bad one is told once for the whole map.
fn review_table_names<M: Member, const LISTS: bool>(requests: &Dictionary<M, LISTS>, found: &mut Violations) {
    let is_table = |name: &str| name.starts_with("arn:") || (is_name(name) && (3..=255).contains(&name.len()));
    if requests.0.iter().flatten().any(|(name, _)| !is_table(name)) {
        found.add(&Path::Member(&Path::Root, "RequestItems"), requests.shown(), Constraint::MapKeys);
    }
}
