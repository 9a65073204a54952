//! Applying writes to the newest state: the only code that changes items.

use bytes::Bytes;
use espalier_dynamo::expression::Update;
use espalier_dynamo::item::{Item, ItemRef};
use espalier_dynamo::operation::stream::EventName;
use espalier_dynamo::{Error as Fault, Result, ValueRef};
use espalier_store::{Changes, Snapshot};

use super::{Action, Error, Write, check_depth};
use crate::capacity::{Consumption, write_units};
use crate::key;
use crate::layout::Key;
use crate::limits::{ITEM_BYTES, UPDATE_BYTES, UPDATE_REMOVE_BYTES, UPDATE_WRITE_BYTES};
use crate::stream::record;
use crate::table::{Index, IndexState, Table};

/// What came of a write.
#[derive(Debug)]
pub struct Applied {
    /// The item before.
    pub old: Option<Item>,
    /// The item after.
    pub new: Option<Item>,
    /// What it consumed.
    pub consumed: Consumption,
}

/// Why a write did not happen.
#[derive(Debug)]
pub enum Refusal {
    /// Its condition failed; this is the item that was found.
    Condition(Option<Item>),
    /// It cannot be done to the item as it is.
    Invalid(Fault),
}

/// How many items and bytes a table or index gained or lost.
#[derive(Debug, Clone, Copy, Default)]
pub struct Growth {
    /// Items.
    pub count: i64,
    /// Bytes.
    pub bytes: i64,
}

/// A stream record that waits for its sequence number.
#[derive(Debug)]
struct PendingRecord {
    table: u32,
    stream: i64,
    body: Vec<u8>,
}

/// Changes on their way to the store.
#[derive(Debug)]
pub struct Draft {
    snapshot: Snapshot,
    changes: Changes,
    records: Vec<PendingRecord>,
    growth: Vec<(u32, u32, Growth)>,
    now_ms: i64,
}

/// The place of the table itself where growth is told by index number.
pub const TABLE_ITSELF: u32 = u32::MAX;

impl Draft {
    /// An empty draft on top of a state.
    #[must_use]
    pub fn new(snapshot: Snapshot, now_ms: i64) -> Self {
        Self { snapshot, changes: Changes::new(), records: Vec::new(), growth: Vec::new(), now_ms }
    }

    /// The state this draft is on top of.
    #[must_use]
    pub fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    /// When this draft was begun.
    #[must_use]
    pub fn now_ms(&self) -> i64 {
        self.now_ms
    }

    /// Adds a change that is not an item: catalogue, tokens, background work.
    pub fn raw(&mut self) -> &mut Changes {
        &mut self.changes
    }

    /// The stored item, if there is one.
    pub fn stored(&self, table: &Table, primary: &[u8]) -> Result<Option<Item>> {
        let bytes = self.snapshot.get(&Key::Item(table.definition.id, primary).encode()).map_err(Fault::internal)?;
        Ok(bytes.map(Item::from_encoded))
    }

    /// Applies one write. Each item may be written once per draft.
    pub fn apply(&mut self, write: &Write) -> Result<Applied, Refusal> {
        let old = self.stored(&write.table, &write.primary).map_err(Refusal::Invalid)?;
        if let Some(condition) = &write.condition {
            let empty = Item::empty();
            if !condition.matches(old.as_ref().unwrap_or(&empty).view()) {
                return Err(Refusal::Condition(old));
            }
        }
        let new = match &write.action {
            Action::Put(item) => Some(item.clone()),
            Action::Update(update) => updated(write, update.as_ref(), old.as_ref()).map_err(Refusal::Invalid)?,
            Action::Delete => None,
            Action::Check => old.clone(),
        };
        let mut consumed = Consumption::of_table(write_units(larger(old.as_ref(), new.as_ref())));
        if old != new {
            self.change(write, old.as_ref(), new.as_ref(), &mut consumed);
        }
        Ok(Applied { old, new, consumed })
    }

    /// Records everything that follows from an item becoming another.
    fn change(&mut self, write: &Write, old: Option<&Item>, new: Option<&Item>, consumed: &mut Consumption) {
        let table = &write.table;
        let id = table.definition.id;
        let item_key = Key::Item(id, &write.primary).encode();
        match new {
            Some(item) => self.changes.put(item_key, item.as_bytes().clone()),
            None => self.changes.delete(item_key),
        }
        self.grow(id, TABLE_ITSELF, old.map(Item::size), new.map(Item::size));
        for (place, index) in table.indexes.iter().enumerate() {
            if index.definition.state != IndexState::Deleting {
                let units = self.change_index(table, index, &write.primary, old, new);
                if units > 0.0 {
                    consumed.add_index(place, units);
                }
            }
        }
        self.change_expiry(table, &write.primary, old, new);
        self.record(write, old, new);
    }

    fn change_index(
        &mut self,
        table: &Table,
        index: &Index,
        primary: &[u8],
        old: Option<&Item>,
        new: Option<&Item>,
    ) -> f64 {
        let old = old.and_then(|item| IndexEntry::new(table, index, primary, item));
        let new = new.and_then(|item| IndexEntry::new(table, index, primary, item));
        if old == new {
            return 0.0;
        }
        self.grow(
            table.definition.id,
            index.definition.id,
            old.as_ref().map(IndexEntry::size),
            new.as_ref().map(IndexEntry::size),
        );
        let moved = matches!((&old, &new), (Some(old), Some(new)) if old.key != new.key);
        let units = if moved {
            old.as_ref().map_or(0.0, |entry| write_units(entry.size()))
                + new.as_ref().map_or(0.0, |entry| write_units(entry.size()))
        } else {
            write_units(old.as_ref().map_or(0, IndexEntry::size).max(new.as_ref().map_or(0, IndexEntry::size)))
        };
        if let Some(entry) = old.filter(|_| moved || new.is_none()) {
            self.changes.delete(entry.key);
        }
        if let Some(entry) = new {
            self.changes.put(entry.key, entry.item);
        }
        units
    }

    fn change_expiry(&mut self, table: &Table, primary: &[u8], old: Option<&Item>, new: Option<&Item>) {
        let Some(attribute) = &table.definition.time_to_live else { return };
        let second = |item: Option<&Item>| item.and_then(|item| expiry_second(attribute, item.view()));
        let (before, after) = (second(old), second(new));
        if before == after {
            return;
        }
        if let Some(second) = before {
            self.changes.delete(Key::Expiry(table.definition.id, second, primary).encode());
        }
        if let Some(second) = after {
            self.changes.put(Key::Expiry(table.definition.id, second, primary).encode(), Bytes::new());
        }
    }

    fn record(&mut self, write: &Write, old: Option<&Item>, new: Option<&Item>) {
        let Some(stream) = write.table.definition.open_stream() else { return };
        let event = match (old, new) {
            (None, _) => EventName::Insert,
            (Some(_), Some(_)) => EventName::Modify,
            (Some(_), None) => EventName::Remove,
        };
        let change = record::Change {
            event,
            by_time_to_live: write.by_time_to_live,
            created_ms: self.now_ms,
            keys: &write.key,
            old,
            new,
        };
        let body = change.encode(stream.view_type);
        self.records.push(PendingRecord { table: write.table.definition.id, stream: stream.created_ms, body });
    }

    /// Puts an index entry for a stored item: how a new index is filled.
    pub fn fill_index(&mut self, table: &Table, index: &Index, item: &Item) {
        let primary = key::of_stored(&table.keys, item.view());
        let entry =
            IndexEntry::new(table, index, &primary, item).filter(|_| key::check_index(index, item.view()).is_ok());
        let Some(entry) = entry else { return };
        let known = self.snapshot.get(&entry.key).ok().flatten().is_some();
        if !known {
            self.grow(table.definition.id, index.definition.id, None, Some(entry.size()));
            self.changes.put(entry.key, entry.item);
        }
    }

    /// Puts an expiry entry for a stored item: how the order of expiry is filled.
    pub fn fill_expiry(&mut self, table: &Table, item: &Item) {
        let primary = key::of_stored(&table.keys, item.view());
        self.change_expiry(table, &primary, None, Some(item));
    }

    fn grow(&mut self, table: u32, index: u32, old: Option<usize>, new: Option<usize>) {
        let growth = Growth {
            count: i64::from(new.is_some()) - i64::from(old.is_some()),
            bytes: new.unwrap_or(0) as i64 - old.unwrap_or(0) as i64,
        };
        self.growth.push((table, index, growth));
    }

    /// Gives the records their sequence numbers and hands everything over: the changes, and what grew.
    pub fn finish(mut self, next_sequence: &mut u64) -> (Changes, Vec<(u32, u32, Growth)>) {
        for pending in self.records {
            let key = Key::Record(pending.table, pending.stream, *next_sequence).encode();
            self.changes.put(key, pending.body);
            *next_sequence += 1;
        }
        (self.changes, self.growth)
    }
}

fn larger(old: Option<&Item>, new: Option<&Item>) -> usize {
    old.map_or(0, Item::size).max(new.map_or(0, Item::size))
}

/// The item after an update. An update that only takes away does not bring an item into being.
fn updated(write: &Write, update: Option<&Update>, old: Option<&Item>) -> Result<Option<Item>> {
    let base = old.unwrap_or(&write.key);
    let new = match update {
        Some(update) if old.is_none() && !update.creates() => return Ok(None),
        Some(update) => update.apply(base.view())?,
        None => base.clone(),
    };
    check_updated(write, update, &new, old)?;
    Ok(Some(new))
}

/// What an update made must still be an item that could be put.
fn check_updated(write: &Write, update: Option<&Update>, new: &Item, old: Option<&Item>) -> Result<()> {
    let measured = update.filter(|_| write.is_update_item).map_or(0, |update| written_bytes(update, new));
    if new.size().max(measured) > ITEM_BYTES {
        return Err(Fault::invalid(Error::TooLargeAfterUpdate));
    }
    check_depth(new)?;
    for index in &write.table.indexes {
        let Err(cause) = key::check_index(index, new.view()) else { continue };
        // An index made later may not fit what was there before; only what the update did counts.
        if old.is_some_and(|old| key::check_index(index, old.view()).as_ref() == Err(&cause)) {
            continue;
        }
        return Err(match cause {
            key::Error::IndexTypeMismatch { .. } if write.is_update_item => Fault::invalid(Error::UpdatesIndexKeyType),
            key::Error::IndexEmpty { kind, .. } => Fault::invalid(Error::UpdatesIndexKeyToEmpty(kind)),
            other => Fault::invalid(other),
        });
    }
    Ok(())
}

/// What UpdateItem measures beside the item: the attributes that it sets, and something for each of its actions
/// (public 601-test suite, eu-west-2, 2026-08-18).
fn written_bytes(update: &Update, new: &Item) -> usize {
    use espalier_dynamo::expression::Action;
    let mut counted: Vec<&str> = Vec::new();
    let mut bytes = UPDATE_BYTES;
    for action in update.actions() {
        match action {
            Action::Set(path, _) | Action::Add(path, _) => {
                bytes += UPDATE_WRITE_BYTES;
                let name = path.attribute.as_str();
                if !counted.contains(&name) {
                    counted.push(name);
                    bytes += new.get(name).map_or(0, |value| name.len() + value.size());
                }
            }
            Action::Remove(_) | Action::Delete(..) => bytes += UPDATE_REMOVE_BYTES,
        }
    }
    bytes
}

/// The second at which an item expires, if its time to live attribute is a usable number; fractions do not matter.
#[must_use]
pub fn expiry_second(attribute: &str, item: ItemRef<'_>) -> Option<u64> {
    match item.get(attribute)? {
        ValueRef::N(number) => number.whole_part().and_then(|second| u64::try_from(second).ok()),
        _ => None,
    }
}

/// An item's entry in an index.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct IndexEntry {
    key: Bytes,
    item: Bytes,
}

impl IndexEntry {
    /// The entry, unless the item lacks a part of the index's key.
    pub(crate) fn new(table: &Table, index: &Index, primary: &[u8], item: &Item) -> Option<Self> {
        let position = key::position(&index.keys, item.view())?;
        let prefix = Key::Index(table.definition.id, index.definition.id).encode();
        let tie = key::tie(table, index, primary, item.view());
        let mut key = Vec::with_capacity(prefix.len() + position.as_bytes().len() + tie.len());
        key.extend_from_slice(&prefix);
        key.extend_from_slice(position.as_bytes());
        key.extend_from_slice(&tie);
        let item = match &index.projection {
            None => item.as_bytes().clone(),
            Some(projection) => projection.apply(item.view()).as_bytes().clone(),
        };
        Some(Self { key: key.into(), item })
    }

    /// Stored key and value.
    pub(crate) fn into_parts(self) -> (Bytes, Bytes) {
        (self.key, self.item)
    }

    fn size(&self) -> usize {
        ItemRef::new(&self.item).size()
    }
}
