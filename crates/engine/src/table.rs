//! Tables: how they are defined, kept, described and changed.

pub mod account;
pub mod arn;
pub mod codec;
pub mod create;
pub mod definition;
pub mod delete;
pub mod describe;
pub mod encryption;
pub mod error;
pub mod index;
pub mod name;
pub mod schema;
pub mod stream;
pub mod tag;
pub mod throughput;
pub mod time_to_live;
pub mod update;

use espalier_dynamo::Path;
use espalier_dynamo::expression::{KeyAttribute, KeySchema, Projection as Selection};
use espalier_dynamo::operation::table::{
    AttributeDefinition, KeySchemaElement, KeyType, Projection, ProjectionType, ScalarType,
};

pub use definition::{Definition, IndexDefinition, IndexKind, IndexState, Stream};

/// A table as reads and writes use it: its definition, with everything derived from it worked out once.
#[derive(Debug)]
pub struct Table {
    /// What is kept in the catalogue.
    pub definition: Definition,
    /// The primary key.
    pub keys: KeySchema,
    /// All indexes by name, which is the order in which Amazon looks at them.
    pub indexes: Vec<Index>,
}

/// A secondary index as reads and writes use it.
#[derive(Debug)]
pub struct Index {
    /// What is kept in the catalogue.
    pub definition: IndexDefinition,
    /// Its key.
    pub keys: KeySchema,
    /// The attributes it holds; `None` means all.
    pub projected: Option<Vec<String>>,
    /// Takes those attributes out of an item; `None` means all.
    pub projection: Option<Selection>,
}

impl Table {
    /// Works out what follows from a definition.
    #[must_use]
    pub fn new(definition: Definition) -> Self {
        let keys = key_schema(&definition.key_schema, &definition.attributes);
        let mut indexes: Vec<Index> = definition
            .local_indexes
            .iter()
            .chain(&definition.global_indexes)
            .map(|index| Index::new(index.clone(), &definition.attributes, &keys))
            .collect();
        indexes.sort_by(|one, other| one.name().cmp(other.name()));
        Self { definition, keys, indexes }
    }

    /// The table's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.definition.name
    }

    /// The index of that name.
    #[must_use]
    pub fn index(&self, name: &str) -> Option<&Index> {
        self.indexes.iter().find(|index| index.definition.name == name)
    }

    /// Whether an attribute is part of the primary key.
    #[must_use]
    pub fn is_key(&self, attribute: &str) -> bool {
        attributes(&self.keys).any(|key| key.name == attribute)
    }

    /// Whether the table has local indexes, and so item collections with a limit.
    #[must_use]
    pub fn has_item_collections(&self) -> bool {
        !self.definition.local_indexes.is_empty()
    }
}

impl Index {
    fn new(definition: IndexDefinition, types: &[AttributeDefinition], table: &KeySchema) -> Self {
        let keys = key_schema(&definition.key_schema, types);
        let projected = projected(&definition.projection, &keys, table);
        let paths = projected.as_ref().map(|names| names.iter().map(Path::attribute).collect());
        let projection = paths.map(|paths| Selection::from_paths(paths).expect("distinct names do not overlap"));
        Self { definition, keys, projected, projection }
    }

    /// The index's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.definition.name
    }

    /// Whether it is a global index.
    #[must_use]
    pub fn is_global(&self) -> bool {
        self.definition.kind == IndexKind::Global
    }

    /// Whether an attribute can be read from the index itself.
    #[must_use]
    pub fn holds(&self, attribute: &str) -> bool {
        self.projected.as_ref().is_none_or(|names| names.iter().any(|name| name == attribute))
    }
}

/// All attributes of a key, partition first.
pub fn attributes(keys: &KeySchema) -> impl Iterator<Item = &KeyAttribute> {
    keys.partition.iter().chain(&keys.sort)
}

fn key_schema(elements: &[KeySchemaElement], types: &[AttributeDefinition]) -> KeySchema {
    let of = |key_type: KeyType| {
        elements
            .iter()
            .filter(|element| element.key_type == key_type)
            .map(|element| KeyAttribute {
                name: element.name.clone(),
                kind: types.iter().find(|known| known.name == element.name).map_or(ScalarType::S, |known| known.kind),
            })
            .collect()
    };
    KeySchema { partition: of(KeyType::Hash), sort: of(KeyType::Range) }
}

/// The sorted names an index holds: its own key, the table's key, and what it includes.
fn projected(projection: &Projection, index: &KeySchema, table: &KeySchema) -> Option<Vec<String>> {
    let included: &[String] = match projection.kind {
        Some(ProjectionType::All) => return None,
        Some(ProjectionType::Include) => projection.non_key_attributes.as_deref().unwrap_or_default(),
        Some(ProjectionType::KeysOnly) | None => &[],
    };
    let keys = attributes(index).chain(attributes(table)).map(|key| key.name.clone());
    let mut names: Vec<String> = keys.chain(included.iter().cloned()).collect();
    names.sort_unstable();
    names.dedup();
    Some(names)
}
