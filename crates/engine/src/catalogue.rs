//! All tables, in memory and in the store.

use std::collections::BTreeMap;
use std::sync::Arc;

use espalier_dynamo::{Error as Fault, Result};
use espalier_store::Snapshot;
use std::ops::ControlFlow;

use crate::engine::scan_prefix;
use crate::layout::Key;
use crate::table::error::TableError;
use crate::table::{Definition, Table, codec};

/// All tables at one moment. A change makes a new catalogue; whoever holds the old one keeps seeing it.
#[derive(Debug, Clone, Default)]
pub struct Catalogue {
    tables: BTreeMap<String, Arc<Table>>,
}

impl Catalogue {
    /// Reads all definitions from the store.
    pub fn load(snapshot: &Snapshot) -> Result<Self> {
        let mut definitions = Vec::new();
        scan_prefix(snapshot, &Key::Definitions.encode(), |_, value| {
            definitions.push(codec::decode(value));
            ControlFlow::Continue(())
        })?;
        let mut catalogue = Self::default();
        for definition in definitions {
            catalogue.insert(definition.map_err(Fault::internal)?);
        }
        Ok(catalogue)
    }

    /// Adds or replaces a table.
    pub fn insert(&mut self, definition: Definition) -> Arc<Table> {
        let table = Arc::new(Table::new(definition));
        self.tables.insert(table.name().to_owned(), table.clone());
        table
    }

    /// Takes a table away.
    pub fn remove(&mut self, name: &str) {
        self.tables.remove(name);
    }

    /// The table of that name, for item operations.
    pub fn table(&self, name: &str) -> Result<&Arc<Table>> {
        self.tables.get(name).ok_or_else(|| TableError::NotFound.into())
    }

    /// The table of that name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Arc<Table>> {
        self.tables.get(name)
    }

    /// The table with that number.
    #[must_use]
    pub fn by_id(&self, id: u32) -> Option<&Arc<Table>> {
        self.tables.values().find(|table| table.definition.id == id)
    }

    /// All tables, ascending by name.
    pub fn tables(&self) -> impl Iterator<Item = &Arc<Table>> {
        self.tables.values()
    }

    /// How many tables there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tables.len()
    }

    /// Whether there are no tables.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tables.is_empty()
    }
}
