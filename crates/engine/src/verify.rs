//! Checks that everything derived from the items is what the items say: index entries, expiry entries, and the
//! figures. Crash tests and `verify` both use it.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use bytes::Bytes;
use espalier_dynamo::Result;
use espalier_dynamo::item::Item;
use espalier_store::Snapshot;

use crate::engine::{Inner, scan_prefix};
use crate::layout::Key;
use crate::table::{Index, IndexState, Table};
use crate::write::draft::{IndexEntry, TABLE_ITSELF, expiry_second};

/// Stored entries by key.
type Entries = BTreeMap<Bytes, Bytes>;

impl Inner {
    /// Recomputes all that is derived, and tells every difference in a sentence.
    pub(crate) fn verify(&self) -> Result<Vec<String>> {
        let snapshot = self.store.snapshot();
        let mut findings = Vec::new();
        for table in self.catalogue().tables() {
            self.verify_table(table, &snapshot, &mut findings)?;
        }
        Ok(findings)
    }

    fn verify_table(&self, table: &Arc<Table>, snapshot: &Snapshot, findings: &mut Vec<String>) -> Result<()> {
        let id = table.definition.id;
        let items = entries(snapshot, &Key::Items(id).encode())?;
        self.verify_numbers(table, TABLE_ITSELF, "the table", &items, findings);
        for index in table.indexes.iter().filter(|index| index.definition.state == IndexState::Active) {
            let stored = entries(snapshot, &Key::Index(id, index.definition.id).encode())?;
            let expected = expected_index(table, index, &items);
            let label = format!("index {}", index.name());
            compare(table, &label, &expected, &stored, findings);
            self.verify_numbers(table, index.definition.id, &label, &stored, findings);
        }
        if let Some(attribute) =
            table.definition.time_to_live.as_deref().filter(|_| !table.definition.time_to_live_filling)
        {
            let expected = expected_expiries(table, attribute, &items);
            let stored = entries(snapshot, &Key::Expiries(id).encode())?;
            compare(table, "the order of expiry", &expected, &stored, findings);
        }
        Ok(())
    }

    fn verify_numbers(&self, table: &Table, place: u32, label: &str, stored: &Entries, findings: &mut Vec<String>) {
        let numbers = self.numbers(table.definition.id, place);
        let bytes: i64 = stored.values().map(|item| Item::from_encoded(item.clone()).size() as i64).sum();
        if self.is_recounted() && (numbers.count, numbers.bytes) != (stored.len() as i64, bytes) {
            findings.push(format!(
                "{}: {label} is said to hold {} items and {} bytes, but holds {} and {bytes}",
                table.name(),
                numbers.count,
                numbers.bytes,
                stored.len(),
            ));
        }
    }
}

fn entries(snapshot: &Snapshot, prefix: &[u8]) -> Result<Entries> {
    let mut entries = Entries::new();
    scan_prefix(snapshot, prefix, |key, value| {
        entries.insert(Bytes::copy_from_slice(key), Bytes::copy_from_slice(value));
        ControlFlow::Continue(())
    })?;
    Ok(entries)
}

fn expected_index(table: &Table, index: &Index, items: &Entries) -> Entries {
    let entry = |(key, item): (&Bytes, &Bytes)| {
        let primary = crate::layout::primary_of_item(key);
        IndexEntry::new(table, index, primary, &Item::from_encoded(item.clone())).map(IndexEntry::into_parts)
    };
    items.iter().filter_map(entry).collect()
}

fn expected_expiries(table: &Table, attribute: &str, items: &Entries) -> Entries {
    let entry = |(key, item): (&Bytes, &Bytes)| {
        let second = expiry_second(attribute, Item::from_encoded(item.clone()).view())?;
        let primary = crate::layout::primary_of_item(key);
        Some((Key::Expiry(table.definition.id, second, primary).encode(), Bytes::new()))
    };
    items.iter().filter_map(entry).collect()
}

fn compare(table: &Table, label: &str, expected: &Entries, stored: &Entries, findings: &mut Vec<String>) {
    for (key, value) in expected {
        match stored.get(key) {
            None => findings.push(format!("{}: {label} lacks an entry: {key:?}", table.name())),
            Some(found) if found != value => {
                findings.push(format!("{}: {label} holds an old entry: {key:?}", table.name()))
            }
            Some(_) => {}
        }
    }
    for key in stored.keys().filter(|key| !expected.contains_key(*key)) {
        findings.push(format!("{}: {label} holds an entry of no item: {key:?}", table.name()));
    }
}
