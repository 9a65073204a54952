//! What the catalogue keeps of a table.

use espalier_dynamo::operation::table::{
    AttributeDefinition, BillingMode, KeySchemaElement, OptionalThroughput, Projection, SseSpecification,
    StreamViewType, TableClass, Tag, ThroughputDescription,
};

/// Whether an index shares the table's partitions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IndexKind {
    /// Same partitions, other order.
    Local,
    /// Partitions of its own.
    Global,
}

/// Where an index stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IndexState {
    /// Complete.
    Active,
    /// Kept by writes, but existing items are still being added; it cannot be read yet.
    Filling,
    /// Out of use, its entries not yet all gone.
    Deleting,
}

/// What the catalogue keeps of an index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexDefinition {
    /// Its number within the table: part of its stored keys, never used again.
    pub id: u32,
    /// Its name.
    pub name: String,
    /// Local or global.
    pub kind: IndexKind,
    /// Its key.
    pub key_schema: Vec<KeySchemaElement>,
    /// What it holds.
    pub projection: Projection,
    /// Where it stands.
    pub state: IndexState,
    /// Reserved capacity.
    pub throughput: ThroughputDescription,
    /// Ceilings on demand.
    pub on_demand: Option<OptionalThroughput>,
    /// Warm throughput.
    pub warm: Option<OptionalThroughput>,
}

/// A stream of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stream {
    /// When it was switched on: its identity within the table, in stored keys and in its label.
    pub created_ms: i64,
    /// When it was switched off; its records stay readable for 24 hours.
    pub disabled_ms: Option<i64>,
    /// What its records show.
    pub view_type: StreamViewType,
}

/// What the catalogue keeps of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    /// Its number: part of all its stored keys, never used again.
    pub id: u32,
    /// Its name.
    pub name: String,
    /// Its id as AWS gives it, a UUID.
    pub table_id: String,
    /// When it was made.
    pub created_ms: i64,
    /// Types of all key attributes.
    pub attributes: Vec<AttributeDefinition>,
    /// Its primary key.
    pub key_schema: Vec<KeySchemaElement>,
    /// Its local indexes.
    pub local_indexes: Vec<IndexDefinition>,
    /// Its global indexes, deleted ones included until their entries are gone.
    pub global_indexes: Vec<IndexDefinition>,
    /// The next index's number.
    pub next_index_id: u32,
    /// How it is paid for; absent when it was never said.
    pub billing_mode: Option<BillingMode>,
    /// When it was last switched to on demand.
    pub on_demand_since_ms: Option<i64>,
    /// Reserved capacity.
    pub throughput: ThroughputDescription,
    /// Ceilings on demand.
    pub on_demand: Option<OptionalThroughput>,
    /// Warm throughput.
    pub warm: Option<OptionalThroughput>,
    /// Its streams, oldest first: at most the last one is on.
    pub streams: Vec<Stream>,
    /// The attribute that says when an item expires.
    pub time_to_live: Option<String>,
    /// Whether existing items still have to be added to the order of expiry.
    pub time_to_live_filling: bool,
    /// Its encryption.
    pub sse: Option<SseSpecification>,
    /// Its storage class; absent when it was never said.
    pub table_class: Option<TableClass>,
    /// When its storage class was last changed.
    pub table_class_updated_ms: Option<i64>,
    /// Whether DeleteTable is refused.
    pub deletion_protection: bool,
    /// Its labels, in the order they were given.
    pub tags: Vec<Tag>,
}

impl Definition {
    /// The stream that takes records now.
    #[must_use]
    pub fn open_stream(&self) -> Option<&Stream> {
        self.streams.last().filter(|stream| stream.disabled_ms.is_none())
    }
}
