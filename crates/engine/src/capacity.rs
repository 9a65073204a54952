//! Capacity units: how much reads and writes consume, and how responses tell it.

use std::collections::BTreeMap;

use espalier_dynamo::operation::capacity::{ConsumedCapacity, Units};
use espalier_dynamo::operation::option::ReturnConsumedCapacity;

use crate::limits::{READ_UNIT_BYTES, WRITE_UNIT_BYTES};
use crate::table::{IndexKind, Table};

/// Transactions cost twice: once to prepare and once to commit.
pub const TRANSACTION_FACTOR: f64 = 2.0;

/// Units for reading so many bytes at once. Reading nothing costs as much as the smallest item.
#[must_use]
pub fn read_units(bytes: usize, consistent: bool) -> f64 {
    let units = bytes.div_ceil(READ_UNIT_BYTES).max(1) as f64;
    if consistent { units } else { units / 2.0 }
}

/// Units for writing an item of so many bytes.
#[must_use]
pub fn write_units(bytes: usize) -> f64 {
    bytes.div_ceil(WRITE_UNIT_BYTES).max(1) as f64
}

/// What one or more operations on a table consumed, by the table and each of its indexes.
#[derive(Debug, Clone, Default)]
pub struct Consumption {
    /// Of the table itself.
    pub table: f64,
    /// Of indexes, by their place in [`Table::indexes`].
    pub indexes: Vec<(usize, f64)>,
}

impl Consumption {
    /// Consumption of the table alone.
    #[must_use]
    pub fn of_table(units: f64) -> Self {
        Self { table: units, indexes: Vec::new() }
    }

    /// Adds units to an index.
    pub fn add_index(&mut self, place: usize, units: f64) {
        match self.indexes.iter_mut().find(|(known, _)| *known == place) {
            Some((_, sum)) => *sum += units,
            None => self.indexes.push((place, units)),
        }
    }

    /// Adds another consumption of the same table.
    pub fn add(&mut self, other: &Consumption) {
        self.table += other.table;
        for (place, units) in &other.indexes {
            self.add_index(*place, *units);
        }
    }

    /// The same, multiplied.
    #[must_use]
    pub fn times(mut self, factor: f64) -> Self {
        self.table *= factor;
        self.indexes.iter_mut().for_each(|(_, units)| *units *= factor);
        self
    }

    fn total(&self) -> f64 {
        self.table + self.indexes.iter().map(|(_, units)| units).sum::<f64>()
    }

    /// The report a response carries, if the request asked for one.
    #[must_use]
    pub fn report(
        &self,
        table: &Table,
        named: &str,
        wish: Option<ReturnConsumedCapacity>,
        split: Split,
    ) -> Option<ConsumedCapacity> {
        let detailed = match wish? {
            ReturnConsumedCapacity::None => return None,
            ReturnConsumedCapacity::Total => false,
            ReturnConsumedCapacity::Indexes => true,
        };
        let of_kind = |kind: IndexKind| -> BTreeMap<String, Units> {
            let entries = self.indexes.iter().map(|(place, units)| (&table.indexes[*place], *units));
            entries
                .filter(|(index, _)| detailed && index.definition.kind == kind)
                .map(|(index, units)| (index.name().to_owned(), split.units(units)))
                .collect()
        };
        Some(ConsumedCapacity {
            table_name: named.to_owned(),
            units: split.units(self.total()),
            table: detailed.then(|| split.units(self.table)),
            local_indexes: of_kind(IndexKind::Local),
            global_indexes: of_kind(IndexKind::Global),
        })
    }
}

/// Whether a report names its units as read or written: only transactions' reports do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Split {
    /// Only the sum.
    Sum,
    /// All of it was reading.
    Read,
    /// All of it was writing.
    Write,
}

impl Split {
    fn units(self, total: f64) -> Units {
        Units { total, read: (self == Split::Read).then_some(total), write: (self == Split::Write).then_some(total) }
    }
}
