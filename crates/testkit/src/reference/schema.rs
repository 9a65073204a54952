//! Tables as the reference knows them, and the CreateTable request that makes the same table elsewhere.

use serde_json::{Value as Json, json};

use super::value::{Document, Value};

/// A key attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    /// Its name.
    pub name: String,
    /// `S`, `N` or `B`.
    pub kind: &'static str,
}

/// What an index holds.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are DynamoDB's")]
pub enum Projection {
    All,
    KeysOnly,
    Include(Vec<String>),
}

/// A secondary index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Index {
    /// Its name.
    pub name: String,
    /// Whether it is global.
    pub global: bool,
    /// Its partition key.
    pub partition: Vec<Key>,
    /// Its sort key.
    pub sort: Vec<Key>,
    /// What it holds.
    pub projection: Projection,
}

/// A table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schema {
    /// Its name.
    pub name: String,
    /// Its partition key.
    pub partition: Key,
    /// Its sort key.
    pub sort: Option<Key>,
    /// Its indexes.
    pub indexes: Vec<Index>,
    /// The attribute that says when items expire.
    pub time_to_live: Option<String>,
    /// What its stream shows.
    pub stream: Option<&'static str>,
}

impl Schema {
    /// The table's own key attributes.
    pub fn keys(&self) -> impl Iterator<Item = &Key> {
        std::iter::once(&self.partition).chain(&self.sort)
    }

    /// The primary key of an item.
    #[must_use]
    pub fn key_of(&self, item: &Document) -> Document {
        let has = |key: &Key| item.get(&key.name).map(|value| (key.name.clone(), value.clone()));
        self.keys().filter_map(has).collect()
    }

    /// What an index holds of an item; `None` if the item is not in it.
    #[must_use]
    pub fn entry(&self, index: &Index, item: &Document) -> Option<Document> {
        let keys = || index.partition.iter().chain(&index.sort);
        if keys().any(|key| item.get(&key.name).is_none_or(|value| value.kind() != key.kind)) {
            return None;
        }
        let is_key = |name: &str| keys().chain(self.keys()).any(|key| key.name == name);
        Some(match &index.projection {
            Projection::All => item.clone(),
            Projection::KeysOnly => keep(item, is_key),
            Projection::Include(names) => keep(item, |name| is_key(name) || names.iter().any(|kept| kept == name)),
        })
    }

    /// The key attributes of an index and the table together: what a page ends with.
    #[must_use]
    pub fn page_key(&self, index: Option<&Index>, item: &Document) -> Document {
        let of_index = index.into_iter().flat_map(|index| index.partition.iter().chain(&index.sort));
        let names: Vec<&str> = of_index.chain(self.keys()).map(|key| key.name.as_str()).collect();
        keep(item, |name| names.contains(&name))
    }

    /// The request that makes the table.
    #[must_use]
    pub fn create_table(&self) -> Json {
        let mut definitions: Vec<&Key> = self.keys().collect();
        for key in self.indexes.iter().flat_map(|index| index.partition.iter().chain(&index.sort)) {
            if !definitions.contains(&key) {
                definitions.push(key);
            }
        }
        let definitions: Vec<Json> =
            definitions.iter().map(|key| json!({"AttributeName": key.name, "AttributeType": key.kind})).collect();
        let mut request = json!({
            "TableName": self.name,
            "AttributeDefinitions": definitions,
            "KeySchema": schema(std::slice::from_ref(&self.partition), self.sort.as_slice()),
            "BillingMode": "PAY_PER_REQUEST",
        });
        for (global, member) in [(true, "GlobalSecondaryIndexes"), (false, "LocalSecondaryIndexes")] {
            let indexes: Vec<Json> =
                self.indexes.iter().filter(|index| index.global == global).map(described).collect();
            if !indexes.is_empty() {
                request[member] = json!(indexes);
            }
        }
        if let Some(view) = self.stream {
            request["StreamSpecification"] = json!({"StreamEnabled": true, "StreamViewType": view});
        }
        request
    }
}

fn keep(item: &Document, wanted: impl Fn(&str) -> bool) -> Document {
    item.iter().filter(|(name, _)| wanted(name)).map(|(name, value)| (name.clone(), value.clone())).collect()
}

fn schema(partition: &[Key], sort: &[Key]) -> Vec<Json> {
    let element = |key: &Key, role: &str| json!({"AttributeName": key.name, "KeyType": role});
    let partition = partition.iter().map(|key| element(key, "HASH"));
    partition.chain(sort.iter().map(|key| element(key, "RANGE"))).collect()
}

fn described(index: &Index) -> Json {
    let projection = match &index.projection {
        Projection::All => json!({"ProjectionType": "ALL"}),
        Projection::KeysOnly => json!({"ProjectionType": "KEYS_ONLY"}),
        Projection::Include(names) => json!({"ProjectionType": "INCLUDE", "NonKeyAttributes": names}),
    };
    json!({"IndexName": index.name, "KeySchema": schema(&index.partition, &index.sort), "Projection": projection})
}

/// Whether a value can be a key attribute's.
#[must_use]
pub fn fits(key: &Key, value: &Value) -> bool {
    value.kind() == key.kind
}
