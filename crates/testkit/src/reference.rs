//! A naive DynamoDB: a map of items per table, everything else recomputed whenever it is asked for.
//!
//! It shares no code with the engine: values, numbers and expressions are its own. It takes requests as trees
//! ([`request::Request`]) and answers with the JSON that DynamoDB would send, or with a [`Fault`].

pub mod decimal;
pub mod evaluate;
pub mod expression;
pub mod read;
pub mod request;
pub mod schema;
pub mod stream;
pub mod value;
pub mod write;

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

use request::Request;
use schema::Schema;
use stream::Record;
use value::Document;

/// An error as a client sees it.
#[derive(Debug, Clone)]
pub struct Fault {
    /// The exception.
    pub kind: &'static str,
    /// What it says, where that is known for sure.
    pub message: Option<String>,
    /// What it carries beside the message.
    pub extra: Json,
}

impl Fault {
    /// A broken rule.
    #[must_use]
    pub fn invalid(message: impl Into<String>) -> Self {
        Self { kind: "ValidationException", message: Some(message.into()), extra: json!({}) }
    }

    /// A broken rule whose sentence is not known for sure.
    #[must_use]
    pub fn invalid_somehow() -> Self {
        Self { kind: "ValidationException", message: None, extra: json!({}) }
    }
}

/// One table's content.
#[derive(Debug, Default)]
pub(crate) struct Content {
    /// Items by the text of their keys.
    pub(crate) items: BTreeMap<String, Document>,
    /// What happened, in groups whose inner order is not promised.
    pub(crate) records: Vec<Vec<Record>>,
}

/// The naive database.
#[derive(Debug)]
pub struct Reference {
    /// The tables.
    pub tables: Vec<Schema>,
    contents: Vec<Content>,
    tokens: BTreeMap<String, (String, i64)>,
    now_ms: i64,
}

impl Reference {
    /// Empty tables at a moment.
    #[must_use]
    pub fn new(tables: Vec<Schema>, now_ms: i64) -> Self {
        let contents = tables.iter().map(|_| Content::default()).collect();
        Self { tables, contents, tokens: BTreeMap::new(), now_ms }
    }

    /// Moves the clock on.
    pub fn advance_ms(&mut self, milliseconds: i64) {
        self.now_ms += milliseconds;
    }

    /// All items of a table.
    pub fn items(&self, table: usize) -> impl Iterator<Item = &Document> {
        self.contents[table].items.values()
    }

    /// All entries of an index.
    #[must_use]
    pub fn entries(&self, table: usize, index: usize) -> Vec<Document> {
        let schema = &self.tables[table];
        self.items(table).filter_map(|item| schema.entry(&schema.indexes[index], item)).collect()
    }

    /// Answers a request. Reads of many items are answered by [`Reference::read`].
    pub fn execute(&mut self, request: &Request) -> Result<Json, Fault> {
        match request {
            Request::Write(write) => self.write_one(write),
            Request::Get(get) => self.get(get),
            Request::Read(read) => self.page(read),
            Request::BatchGet(gets) => self.batch_get(gets),
            Request::BatchWrite(writes) => self.batch_write(writes),
            Request::TransactGet(gets) => self.transact_get(gets),
            Request::TransactWrite { writes, token } => self.transact_write(writes, token.as_deref()),
        }
    }
}

/// The text that identifies an item.
pub(crate) fn identity(key: &Document) -> String {
    value::to_json(key).to_string()
}
