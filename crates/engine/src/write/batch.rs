//! BatchWriteItem: many writes in one commit, each on its own merits.

use std::collections::HashSet;

use espalier_dynamo::operation::batch::{BatchWrite, BatchWriteItem, BatchWriteItemOutput};
use espalier_dynamo::operation::option::ReturnItemCollectionMetrics;
use espalier_dynamo::{Error as Fault, Result};

use super::{Refusal, Write, check_size};
use crate::capacity::{Consumption, Split};
use crate::engine::Inner;
use crate::key;

/// Why a batch is refused as a whole.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// Two writes of one item.
    #[error("Provided list of item keys contains duplicates")]
    DuplicateKeys,
    /// More than 25 writes.
    #[error("Too many items requested for the BatchWriteItem call")]
    TooMany,
    /// Nothing to do.
    #[error("The batch write request list for a table cannot be null or empty")]
    Empty,
}

/// The most writes in one batch.
pub const WRITES: usize = 25;

impl Inner {
    /// Writes up to 25 items.
    pub async fn batch_write_item(&self, request: BatchWriteItem) -> Result<BatchWriteItemOutput> {
        let count: usize = request.requests.iter().map(|(_, writes)| writes.len()).sum();
        if count > WRITES {
            return Err(Fault::invalid(Error::TooMany));
        }
        if count == 0 {
            return Err(Fault::invalid(Error::Empty));
        }
        let items = request.requests.iter().flat_map(|(_, writes)| writes).filter_map(|write| match write {
            BatchWrite::Put(item) => Some(item),
            BatchWrite::Delete(_) => None,
        });
        items.into_iter().try_for_each(check_size)?;
        let mut tables = Vec::with_capacity(request.requests.len());
        for (named, writes) in request.requests {
            tables.push((self.table(&named)?, named, writes));
        }
        let mut writes = Vec::with_capacity(count);
        let mut reports = Vec::with_capacity(tables.len());
        let mut seen = HashSet::new();
        for (table, named, requests) in tables {
            let start = writes.len();
            for request in requests {
                let write = plan(&table, &named, request)?;
                if !seen.insert((table.definition.id, write.primary.clone())) {
                    return Err(Fault::invalid(Error::DuplicateKeys));
                }
                writes.push(write);
            }
            reports.push((table, named, start..writes.len()));
        }
        let applied = self
            .commit(|draft| writes.iter().map(|write| draft.apply(write)).collect::<Result<Vec<_>, Refusal>>())
            .await?
            .map_err(|refusal| match refusal {
                Refusal::Invalid(fault) => fault,
                Refusal::Condition(_) => Fault::internal("a batch has no conditions"),
            })?;
        let mut output = BatchWriteItemOutput::default();
        let mut capacity = Vec::new();
        let mut metrics = Vec::new();
        for (table, named, range) in reports {
            let mut sum = Consumption::default();
            applied[range.clone()].iter().for_each(|applied| sum.add(&applied.consumed));
            capacity.extend(sum.report(&table, &named, request.return_capacity, Split::Sum));
            if request.return_metrics == Some(ReturnItemCollectionMetrics::Size) && table.has_item_collections() {
                let of_table = writes[range]
                    .iter()
                    .filter_map(|write| self.item_collection_metrics(&table, &write.key).transpose())
                    .collect::<Result<Vec<_>>>()?;
                metrics.push((named, of_table));
            }
        }
        output.consumed_capacity = (!capacity.is_empty()).then_some(capacity);
        output.item_collection_metrics = (!metrics.is_empty()).then_some(metrics);
        Ok(output)
    }
}

fn plan(table: &std::sync::Arc<crate::table::Table>, named: &str, request: BatchWrite) -> Result<Write> {
    match request {
        BatchWrite::Put(item) => {
            // A put without a key, or with one of the wrong type, is told as a key that does not match, in batches alone.
            Write::put(table.clone(), named.to_owned(), item, None).map_err(|fault| match &fault {
                Fault::Validation(cause)
                    if matches!(cause.cause(), Some(key::Error::Missing(_) | key::Error::TypeMismatch { .. })) =>
                {
                    Fault::invalid(key::Error::NoMatch)
                }
                _ => fault,
            })
        }
        BatchWrite::Delete(key) => Write::delete(table.clone(), named.to_owned(), key, None),
    }
}
