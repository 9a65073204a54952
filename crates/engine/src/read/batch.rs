//! BatchGetItem.

use std::collections::HashSet;

use espalier_dynamo::expression::{Projection, request};
use espalier_dynamo::operation::batch::{BatchGetItem, BatchGetItemOutput, KeysAndAttributes};
use espalier_dynamo::{Error as Fault, Result};

use super::get::Point;
use crate::capacity::{Consumption, Split, read_units};
use crate::engine::Inner;
use crate::key;
use crate::limits::BATCH_GET_BYTES;

/// Why a batch is refused as a whole.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// One key twice.
    #[error("Provided list of item keys contains duplicates")]
    DuplicateKeys,
    /// More than 100 keys.
    #[error("Too many items requested for the BatchGetItem call")]
    TooMany,
}

/// The most keys in one batch.
pub const KEYS: usize = 100;

/// The reads of one table, planned.
struct TableReads {
    points: Vec<Point>,
    request: KeysAndAttributes,
}

impl Inner {
    /// Reads up to 100 items.
    pub fn batch_get_item(&self, request: BatchGetItem) -> Result<BatchGetItemOutput> {
        if request.requests.iter().map(|(_, reads)| reads.keys.len()).sum::<usize>() > KEYS {
            return Err(Fault::invalid(Error::TooMany));
        }
        request::batch_get(&request)?;
        let mut projections = Vec::with_capacity(request.requests.len());
        for (_, reads) in &request.requests {
            projections.push(request::keys_and_attributes(reads)?);
            let mut seen = HashSet::with_capacity(reads.keys.len());
            if reads.keys.iter().any(|key| !seen.insert(key.as_bytes())) {
                return Err(Fault::invalid(Error::DuplicateKeys));
            }
        }
        let mut tables = Vec::with_capacity(request.requests.len());
        for ((named, reads), projection) in request.requests.into_iter().zip(projections) {
            tables.push(self.plan_reads(named, reads, projection)?);
        }
        let snapshot = self.store.snapshot();
        let mut output = BatchGetItemOutput::default();
        let mut reports = Vec::new();
        let mut bytes = 0;
        for (named, TableReads { points, request: mut reads }) in tables {
            let consistent = reads.consistent_read.unwrap_or(false);
            let mut items = Vec::with_capacity(points.len());
            let mut consumed = Consumption::default();
            let mut done = 0;
            for point in &points {
                // What comes after 16 MB waits for the next call.
                if bytes >= BATCH_GET_BYTES {
                    break;
                }
                let found = point.read(&snapshot)?;
                done += 1;
                let size = found.as_ref().map_or(0, |found| found.size);
                bytes += size;
                consumed.add(&Consumption::of_table(read_units(size, consistent)));
                items.extend(found.map(|found| found.item));
            }
            if let Some(point) = points.first() {
                reports.extend(consumed.report(&point.table, &named, request.return_capacity, Split::Sum));
            }
            if done < points.len() {
                reads.keys.drain(..done);
                output.unprocessed.push((named.clone(), reads));
            }
            output.responses.push((named, items));
        }
        output.consumed_capacity = (!reports.is_empty()).then_some(reports);
        Ok(output)
    }

    fn plan_reads(
        &self,
        named: String,
        reads: KeysAndAttributes,
        projection: Option<Projection>,
    ) -> Result<(String, TableReads)> {
        let table = self.table(&named)?;
        key::check_nested(&table, projection.iter().flat_map(Projection::nested_attributes))?;
        let mut points = Vec::with_capacity(reads.keys.len());
        for key in &reads.keys {
            let primary = key::of_key(&table, key)?;
            points.push(Point { table: table.clone(), named: named.clone(), primary, projection: projection.clone() });
        }
        Ok((named, TableReads { points, request: reads }))
    }
}
