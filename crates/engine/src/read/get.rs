//! GetItem and TransactGetItems.

use std::sync::Arc;

use espalier_dynamo::expression::{Projection, request};
use espalier_dynamo::item::{Item, ItemRef};
use espalier_dynamo::operation::capacity::ConsumedCapacity;
use espalier_dynamo::operation::item::{GetItem, GetItemOutput};
use espalier_dynamo::operation::option::ReturnConsumedCapacity;
use espalier_dynamo::operation::transaction::{TransactGet, TransactGetItems, TransactGetItemsOutput};
use espalier_dynamo::{Error as Fault, Result};
use espalier_store::Snapshot;

use crate::capacity::{Consumption, Split, TRANSACTION_FACTOR, read_units};
use crate::engine::Inner;
use crate::key;
use crate::layout::Key;
use crate::table::Table;
use crate::write::transaction::{Error, all_or_reasons, reason_or_fault};

/// An item that was read, and how large it was before it was cut down.
#[derive(Debug)]
pub struct Found {
    /// What the request wanted of it.
    pub item: Item,
    /// Its size in the table.
    pub size: usize,
}

/// One planned read of one item.
#[derive(Debug)]
pub struct Point {
    /// The table.
    pub table: Arc<Table>,
    /// The table as the request named it.
    pub named: String,
    /// The primary key, encoded.
    pub primary: Vec<u8>,
    /// What to return of the item.
    pub projection: Option<Projection>,
}

impl Point {
    /// Reads the item.
    pub fn read(&self, snapshot: &Snapshot) -> Result<Option<Found>> {
        let stored =
            snapshot.get(&Key::Item(self.table.definition.id, &self.primary).encode()).map_err(Fault::internal)?;
        Ok(stored.map(|bytes| {
            let size = ItemRef::new(&bytes).size();
            let item = match &self.projection {
                Some(projection) => projection.apply(ItemRef::new(&bytes)),
                None => Item::from_encoded(bytes),
            };
            Found { item, size }
        }))
    }
}

impl Inner {
    /// Reads one item.
    pub fn get_item(&self, request: GetItem) -> Result<GetItemOutput> {
        let projection = request::get(&request)?;
        let table = self.table(&request.table_name)?;
        let primary = key::of_key(&table, &request.key)?;
        key::check_nested(&table, projection.iter().flat_map(Projection::nested_attributes))?;
        let point = Point { table, named: request.table_name, primary, projection };
        let found = point.read(&self.store.snapshot())?;
        let bytes = found.as_ref().map_or(0, |found| found.size);
        let consumed = Consumption::of_table(read_units(bytes, request.consistent_read.unwrap_or(false)));
        Ok(GetItemOutput {
            item: found.map(|found| found.item),
            consumed_capacity: consumed.report(&point.table, &point.named, request.return_capacity, Split::Sum),
        })
    }

    /// Reads up to 100 items at one instant.
    pub fn transact_get_items(&self, request: TransactGetItems) -> Result<TransactGetItemsOutput> {
        let planned = request.gets.into_iter().map(|get| self.plan_get(get).map(Ok).or_else(reason_or_fault));
        let points = all_or_reasons(planned.collect::<Result<_>>()?)?;
        let (items, reads) = self.read_together(&points)?;
        Ok(TransactGetItemsOutput {
            items,
            consumed_capacity: reading_capacity(&points, &reads, request.return_capacity),
        })
    }

    fn plan_get(&self, get: TransactGet) -> Result<Point> {
        let projection = request::transact_get(&get)?;
        let table = self.table(&get.table_name)?;
        let primary = key::of_key(&table, &get.key)?;
        Ok(Point { table, named: get.table_name, primary, projection })
    }

    /// Reads several items from one snapshot, and tells what each consumed.
    pub fn read_together(&self, points: &[Point]) -> Result<(Vec<Option<Item>>, Vec<Consumption>)> {
        let mut seen = std::collections::HashSet::new();
        if points.iter().any(|point| !seen.insert((point.table.definition.id, &point.primary))) {
            return Err(Fault::invalid(Error::SameItemTwice));
        }
        let snapshot = self.store.snapshot();
        let mut items = Vec::with_capacity(points.len());
        let mut reads = Vec::with_capacity(points.len());
        let mut bytes = 0;
        for point in points {
            let found = point.read(&snapshot)?;
            let size = found.as_ref().map_or(0, |found| found.size);
            bytes += size;
            if bytes > crate::limits::TRANSACTION_BYTES {
                return Err(Fault::invalid(Error::TooLarge));
            }
            reads.push(Consumption::of_table(read_units(size, true) * TRANSACTION_FACTOR));
            items.push(found.map(|found| found.item));
        }
        Ok((items, reads))
    }
}

/// Capacity by table, in the order in which the tables were named first.
pub fn reading_capacity(
    points: &[Point],
    reads: &[Consumption],
    wish: Option<ReturnConsumedCapacity>,
) -> Option<Vec<ConsumedCapacity>> {
    let mut by_table: Vec<(&Point, Consumption)> = Vec::new();
    for (point, consumed) in points.iter().zip(reads) {
        match by_table.iter_mut().find(|(known, _)| known.named == point.named) {
            Some((_, sum)) => sum.add(consumed),
            None => by_table.push((point, consumed.clone())),
        }
    }
    let reports: Vec<_> = by_table
        .into_iter()
        .filter_map(|(point, sum)| sum.report(&point.table, &point.named, wish, Split::Read))
        .collect();
    (!reports.is_empty()).then_some(reports)
}
