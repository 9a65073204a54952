//! Primary keys and index keys, taken out of items and checked against the schema.

use espalier_dynamo::expression::{KeyAttribute, KeySchema};
use espalier_dynamo::item::{Item, ItemRef, MapBuilder, ValueRef, encode};
use espalier_dynamo::operation::table::ScalarType;
use espalier_dynamo::value::Type;
use espalier_dynamo::{Error as Fault, Result};
use std::borrow::Cow;

use crate::layout::{self, HASH, Position};
use crate::limits::{PARTITION_KEY_BYTES, SORT_KEY_BYTES};
use crate::table::{Index, Table, attributes};

/// Why a key is not acceptable.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The item lacks a key attribute.
    #[error("One or more parameter values were invalid: Missing the key {0} in the item")]
    Missing(String),
    /// A key attribute has another type than the schema says.
    #[error(
        "One or more parameter values were invalid: Type mismatch for key {name} expected: {expected} actual: {actual}"
    )]
    TypeMismatch {
        /// The attribute.
        name: String,
        /// The schema's type.
        expected: ScalarType,
        /// The item's type.
        actual: &'static str,
    },
    /// A key given by itself has other attributes or types than the schema.
    #[error("The provided key element does not match the schema")]
    NoMatch,
    /// A key attribute is empty.
    #[error("One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty {} value. Key: {name}", kind_word(.kind))]
    Empty {
        /// The attribute.
        name: String,
        /// Its type.
        kind: ScalarType,
    },
    /// The partition key is too long.
    #[error(
        "One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of2048 bytes"
    )]
    PartitionTooLong,
    /// The sort key is too long.
    #[error(
        "One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit of 1024 bytes"
    )]
    SortTooLong,
    /// An index key attribute has another type than the schema says.
    #[error(
        "One or more parameter values were invalid: Type mismatch for Index Key {name} Expected: {expected} Actual: {actual} IndexName: {index}"
    )]
    IndexTypeMismatch {
        /// The attribute.
        name: String,
        /// The schema's type.
        expected: ScalarType,
        /// The item's type.
        actual: &'static str,
        /// The index.
        index: String,
    },
    /// An index key attribute is empty.
    #[error("One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty {} value. IndexName: {index}, IndexKey: {name}", kind_word(.kind))]
    IndexEmpty {
        /// The attribute.
        name: String,
        /// Its type.
        kind: ScalarType,
        /// The index.
        index: String,
    },
    /// An index's partition key is too long.
    #[error(
        "One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of 2048 bytes"
    )]
    IndexPartitionTooLong,
    /// An index's sort key is too long.
    #[error(
        "One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit of 1024 bytes"
    )]
    IndexSortTooLong,
    /// A path into a key attribute.
    #[error("Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: Key: {0}")]
    Nested(String),
    /// A path into an index key attribute.
    #[error(
        "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: IndexKey: {0}"
    )]
    IndexNested(String),
}

/// The word for a type in sentences about empty keys.
pub(crate) fn kind_word(kind: &ScalarType) -> &'static str {
    match kind {
        ScalarType::B => "binary",
        _ => "string",
    }
}

/// Whether a value has a key attribute's type.
fn fits(value: ValueRef<'_>, kind: ScalarType) -> bool {
    is_type(value.kind(), kind)
}

fn is_type(found: Type, kind: ScalarType) -> bool {
    matches!((found, kind), (Type::S, ScalarType::S) | (Type::N, ScalarType::N) | (Type::B, ScalarType::B))
}

fn is_empty(value: ValueRef<'_>) -> bool {
    match value {
        ValueRef::S(text) => text.is_empty(),
        ValueRef::B(bytes) => bytes.is_empty(),
        _ => false,
    }
}

/// The primary key of a whole item, encoded.
pub fn of_item(table: &Table, item: ItemRef<'_>) -> Result<Vec<u8>> {
    for key in attributes(&table.keys) {
        let Some(value) = item.get(&key.name) else {
            return Err(Fault::invalid(Error::Missing(key.name.clone())));
        };
        if !fits(value, key.kind) {
            let (name, expected, actual) = (key.name.clone(), key.kind, value.kind().name());
            return Err(Fault::invalid(Error::TypeMismatch { name, expected, actual }));
        }
    }
    checked(&table.keys, item)
}

/// A primary key given by itself, encoded: exactly the key attributes, with the right types.
pub fn of_key(table: &Table, key: &Item) -> Result<Vec<u8>> {
    let fitting =
        attributes(&table.keys).filter(|part| key.get(&part.name).is_some_and(|value| fits(value, part.kind)));
    let expected = table.keys.partition.len() + table.keys.sort.len();
    if fitting.count() != expected || key.len() != expected {
        return Err(Fault::invalid(Error::NoMatch));
    }
    checked(&table.keys, key.view())
}

/// Checks one part of a start key against the key that is read.
pub fn check_part(part: &KeyAttribute, key: &Item) -> Result<(), Error> {
    match key.get(&part.name) {
        Some(value) if !fits(value, part.kind) => Err(Error::NoMatch),
        Some(value) if is_empty(value) => Err(Error::Empty { name: part.name.clone(), kind: part.kind }),
        _ => Ok(()),
    }
}

/// The primary key of an item that is stored already, encoded.
#[must_use]
pub fn of_stored(keys: &KeySchema, item: ItemRef<'_>) -> Vec<u8> {
    position(keys, item).expect("a stored item has its key").into_bytes()
}

fn checked(keys: &KeySchema, item: ItemRef<'_>) -> Result<Vec<u8>> {
    for key in attributes(keys) {
        if item.get(&key.name).is_some_and(is_empty) {
            return Err(Fault::invalid(Error::Empty { name: key.name.clone(), kind: key.kind }));
        }
    }
    if total(&keys.partition, item) > PARTITION_KEY_BYTES {
        return Err(Fault::invalid(Error::PartitionTooLong));
    }
    if total(&keys.sort, item) > SORT_KEY_BYTES {
        return Err(Fault::invalid(Error::SortTooLong));
    }
    Ok(of_stored(keys, item))
}

fn total(parts: &[KeyAttribute], item: ItemRef<'_>) -> usize {
    parts.iter().filter_map(|part| item.get(&part.name)).map(|value| value.size()).sum()
}

/// Where an item stands in the order of a key; `None` if it lacks a part or a part has another type, which
/// keeps it out of a sparse index.
pub fn position(keys: &KeySchema, item: ItemRef<'_>) -> Option<Position> {
    let part = |key: &KeyAttribute| item.get(&key.name).filter(|value| fits(*value, key.kind) && !is_empty(*value));
    if let ([partition], []) = (keys.partition.as_slice(), keys.sort.as_slice()) {
        return Some(Position::partition(std::iter::once(part(partition)?)));
    }
    let partition = keys.partition.iter().map(part).collect::<Option<Vec<_>>>()?;
    let sort = keys.sort.iter().map(part).collect::<Option<Vec<_>>>()?;
    let mut position = Position::partition(partition.into_iter());
    sort.into_iter().for_each(|value| position.push(value));
    Some(position)
}

/// Checks that the attributes an index is keyed by can be keys, where the item has them.
pub fn check_index(index: &Index, item: ItemRef<'_>) -> Result<(), Error> {
    for key in attributes(&index.keys) {
        let Some(value) = item.get(&key.name) else { continue };
        if !fits(value, key.kind) {
            return Err(type_mismatch(index, key, value.kind()));
        }
        if is_empty(value) {
            let (name, index) = (key.name.clone(), index.name().to_owned());
            return Err(Error::IndexEmpty { name, kind: key.kind, index });
        }
    }
    if total(&index.keys.partition, item) > PARTITION_KEY_BYTES {
        return Err(Error::IndexPartitionTooLong);
    }
    if total(&index.keys.sort, item) > SORT_KEY_BYTES {
        return Err(Error::IndexSortTooLong);
    }
    Ok(())
}

/// Checks that an attribute of that type can be a key of every index that is keyed by it.
pub fn check_index_type(table: &Table, attribute: &str, kind: Type) -> Result<(), Error> {
    for index in &table.indexes {
        if let Some(key) = attributes(&index.keys).find(|key| key.name == attribute && !is_type(kind, key.kind)) {
            return Err(type_mismatch(index, key, kind));
        }
    }
    Ok(())
}

fn type_mismatch(index: &Index, key: &KeyAttribute, actual: Type) -> Error {
    Error::IndexTypeMismatch {
        name: key.name.clone(),
        expected: key.kind,
        actual: actual.name(),
        index: index.name().to_owned(),
    }
}

/// Refuses paths into attributes that are keys of the table or of its indexes; given are the attributes that paths
/// reach into.
pub fn check_nested<'p>(table: &Table, nested: impl Iterator<Item = &'p str>) -> Result<()> {
    let nested: Vec<&str> = nested.collect();
    if nested.is_empty() {
        return Ok(());
    }
    let reached = |keys| attributes(keys).find(|key| nested.contains(&key.name.as_str())).map(|key| key.name.clone());
    if let Some(name) = reached(&table.keys) {
        return Err(Fault::invalid(Error::Nested(name)));
    }
    match table.indexes.iter().find_map(|index| reached(&index.keys)) {
        Some(name) => Err(Fault::invalid(Error::IndexNested(name))),
        None => Ok(()),
    }
}

/// What follows the index key in an index entry. Amazon orders items with equal keys of a global index by a hash of
/// their whole primary key, while the items themselves lie by the hash of their partition key.
pub fn tie<'p>(table: &Table, index: &Index, primary: &'p [u8], item: ItemRef<'_>) -> Cow<'p, [u8]> {
    if !index.is_global() || table.keys.sort.is_empty() {
        return Cow::Borrowed(primary);
    }
    let values: Vec<ValueRef<'_>> = attributes(&table.keys).filter_map(|key| item.get(&key.name)).collect();
    let mut tie = layout::hash(values.into_iter()).to_vec();
    tie.extend_from_slice(&primary[HASH..]);
    Cow::Owned(tie)
}

/// The named attributes of an item that exist, as an item of their own: keys for responses.
pub fn select<'k>(item: ItemRef<'_>, keys: impl Iterator<Item = &'k KeyAttribute>) -> Item {
    let mut builder = MapBuilder::new();
    let mut taken: Vec<&str> = Vec::new();
    for key in keys {
        if let Some(value) = item.get(&key.name).filter(|_| !taken.contains(&key.name.as_str())) {
            taken.push(&key.name);
            encode::view(builder.begin(Cow::Borrowed(&key.name)), value);
        }
    }
    builder.finish_item()
}
