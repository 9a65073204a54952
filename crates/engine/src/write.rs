//! The one road on which items change.
//!
//! Put, Update, Delete, batches, transactions, PartiQL and time to live all become [`Write`]s. A [`Draft`]
//! applies them against the newest state, one after the other, while the writer's lock is held: old image,
//! condition, new image, size, index entries, expiry entry, stream record, capacity. The draft is then committed
//! as a whole, or dropped.

pub mod batch;
pub mod draft;
pub mod fingerprint;
pub mod item;
pub mod token;
pub mod transaction;

use std::sync::Arc;

use espalier_dynamo::expression::{Condition, Update};
use espalier_dynamo::item::Item;
use espalier_dynamo::operation::table::ScalarType;
use espalier_dynamo::{Error as Fault, Result};

use crate::key;
use crate::limits::{ITEM_BYTES, NAME_BYTES, NESTING_LEVELS};
use crate::table::Table;

pub use draft::{Applied, Draft, Refusal};

/// Why an item cannot be written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The item is over 400 KB.
    #[error("Item size has exceeded the maximum allowed size")]
    TooLarge,
    /// The item would grow over 400 KB.
    #[error("Item size to update has exceeded the maximum allowed size")]
    TooLargeAfterUpdate,
    /// Maps and lists nest too deep.
    #[error(
        "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit"
    )]
    TooDeep,
    /// An update names a key attribute.
    #[error(
        "One or more parameter values were invalid: Cannot update attribute {0}. This attribute is part of the key"
    )]
    UpdatesKey(String),
    /// An update gives an index key attribute another type, which only the stored item brought to light.
    #[error("The update expression attempted to update the secondary index key to unsupported type")]
    UpdatesIndexKeyType,
    /// An update empties an index key attribute.
    #[error(
        "One or more parameter values are not valid. The update expression attempted to update a secondary index key to a value that is not supported. The AttributeValue for a key attribute cannot contain an empty {} value.", key::kind_word(.0)
    )]
    UpdatesIndexKeyToEmpty(ScalarType),
    /// An attribute without a name.
    #[error("One or more parameter values were invalid: Empty attribute name")]
    EmptyName,
    /// A name of 64 KB or more.
    #[error("One or more parameter values were invalid: Attribute name is too large, must be less than 65536 bytes")]
    NameTooLong,
}

/// What to do with an item.
#[derive(Debug)]
pub enum Action {
    /// Write it whole.
    Put(Item),
    /// Change it, or create it; without an update it is only made to exist.
    Update(Option<Update>),
    /// Remove it.
    Delete,
    /// Only check the condition.
    Check,
}

/// One change of one item, planned: everything that can be checked without the stored item has been.
#[derive(Debug)]
pub struct Write {
    /// The table.
    pub table: Arc<Table>,
    /// The table as the request named it, for reports.
    pub named: String,
    /// The primary key, encoded.
    pub primary: Vec<u8>,
    /// The primary key as attributes.
    pub key: Item,
    /// What to do.
    pub action: Action,
    /// Must hold of the stored item.
    pub condition: Option<Condition>,
    /// Whether time to live, not a client, does it.
    pub by_time_to_live: bool,
    /// Whether it is an UpdateItem of its own, which measures what it writes and has words of its own for index keys;
    /// updates of transactions and statements measure the item and say what a put says.
    pub is_update_item: bool,
}

impl Write {
    /// Plans to write a whole item.
    pub fn put(table: Arc<Table>, named: String, item: Item, condition: Option<Condition>) -> Result<Self> {
        let primary = key::of_item(&table, item.view())?;
        for index in &table.indexes {
            key::check_index(index, item.view()).map_err(Fault::invalid)?;
        }
        check_size(&item)?;
        check_depth(&item)?;
        item.iter().try_for_each(|(name, _)| check_name(name))?;
        let key = key::select(item.view(), crate::table::attributes(&table.keys));
        Ok(Self {
            table,
            named,
            primary,
            key,
            action: Action::Put(item),
            condition,
            by_time_to_live: false,
            is_update_item: false,
        })
    }

    /// Plans to change an item.
    pub fn update(
        table: Arc<Table>,
        named: String,
        key: Item,
        update: Option<Update>,
        condition: Option<Condition>,
    ) -> Result<Self> {
        let written = update.as_ref().and_then(|update| update.attributes().find(|name| table.is_key(name)));
        if let Some(name) = written {
            return Err(Fault::invalid(Error::UpdatesKey(name.to_owned())));
        }
        update.iter().flat_map(Update::attributes).try_for_each(check_name)?;
        for (name, kind) in update.iter().flat_map(Update::known_types) {
            key::check_index_type(&table, name, kind).map_err(Fault::invalid)?;
        }
        key::check_nested(&table, update.iter().flat_map(Update::nested_attributes))?;
        Self::keyed(table, named, key, Action::Update(update), condition)
    }

    /// Plans to remove an item.
    pub fn delete(table: Arc<Table>, named: String, key: Item, condition: Option<Condition>) -> Result<Self> {
        Self::keyed(table, named, key, Action::Delete, condition)
    }

    /// Plans to check an item.
    pub fn check(table: Arc<Table>, named: String, key: Item, condition: Option<Condition>) -> Result<Self> {
        Self::keyed(table, named, key, Action::Check, condition)
    }

    fn keyed(
        table: Arc<Table>,
        named: String,
        key: Item,
        action: Action,
        condition: Option<Condition>,
    ) -> Result<Self> {
        let primary = key::of_key(&table, &key)?;
        Ok(Self { table, named, primary, key, action, condition, by_time_to_live: false, is_update_item: false })
    }
}

/// Refuses names that no attribute can have.
fn check_name(name: &str) -> Result<()> {
    match name.len() {
        0 => Err(Fault::invalid(Error::EmptyName)),
        1..=NAME_BYTES => Ok(()),
        _ => Err(Fault::invalid(Error::NameTooLong)),
    }
}

/// Refuses items that are larger than any may be.
pub fn check_size(item: &Item) -> Result<()> {
    if item.size() > ITEM_BYTES { Err(Fault::invalid(Error::TooLarge)) } else { Ok(()) }
}

/// Refuses items whose maps and lists nest too deep.
pub fn check_depth(item: &Item) -> Result<()> {
    if item.iter().any(|(_, value)| value.depth() >= NESTING_LEVELS) {
        return Err(Fault::invalid(Error::TooDeep));
    }
    Ok(())
}
