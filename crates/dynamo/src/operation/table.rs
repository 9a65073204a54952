//! Operations on tables: create, describe, list, update, delete, time to live, tags, limits.

use crate::text_enum::text_enum;

text_enum! {
    /// The role of a key attribute.
    KeyType {
        /// Part of the partition key.
        Hash = "HASH",
        /// Part of the sort key.
        Range = "RANGE",
    }
}

text_enum! {
    /// The types a key attribute may have.
    ScalarType {
        /// Binary.
        B = "B",
        /// Number.
        N = "N",
        /// String.
        S = "S",
    }
}

text_enum! {
    /// Which attributes an index holds beside the keys.
    ProjectionType {
        /// All.
        All = "ALL",
        /// Named ones.
        Include = "INCLUDE",
        /// None.
        KeysOnly = "KEYS_ONLY",
    }
}

text_enum! {
    /// How capacity is paid for.
    BillingMode {
        /// By reserved capacity.
        Provisioned = "PROVISIONED",
        /// By request.
        PayPerRequest = "PAY_PER_REQUEST",
    }
}

text_enum! {
    /// The storage class of a table.
    TableClass {
        /// For most tables.
        Standard = "STANDARD",
        /// For tables that are rarely read.
        StandardInfrequentAccess = "STANDARD_INFREQUENT_ACCESS",
    }
}

text_enum! {
    /// What stream records show.
    StreamViewType {
        /// The item after the change.
        NewImage = "NEW_IMAGE",
        /// The item before the change.
        OldImage = "OLD_IMAGE",
        /// Both.
        NewAndOldImages = "NEW_AND_OLD_IMAGES",
        /// The key alone.
        KeysOnly = "KEYS_ONLY",
    }
}

text_enum! {
    /// Where a table stands.
    TableStatus {
        /// Being created.
        Creating = "CREATING",
        /// Being changed.
        Updating = "UPDATING",
        /// Being deleted.
        Deleting = "DELETING",
        /// Ready.
        Active = "ACTIVE",
    }
}

text_enum! {
    /// Where an index stands.
    IndexStatus {
        /// Being filled.
        Creating = "CREATING",
        /// Being changed.
        Updating = "UPDATING",
        /// Being deleted.
        Deleting = "DELETING",
        /// Ready.
        Active = "ACTIVE",
    }
}

text_enum! {
    /// How a table is encrypted on Amazon's side.
    SseType {
        /// With a key the user names.
        Aes256 = "AES256",
        /// With a key of the key management service.
        Kms = "KMS",
    }
}

text_enum! {
    /// Where time to live stands.
    TimeToLiveStatus {
        /// Being switched on.
        Enabling = "ENABLING",
        /// Being switched off.
        Disabling = "DISABLING",
        /// On.
        Enabled = "ENABLED",
        /// Off.
        Disabled = "DISABLED",
    }
}

/// A key attribute's name and type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttributeDefinition {
    /// The attribute.
    pub name: String,
    /// Its type.
    pub kind: ScalarType,
}

/// One attribute of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeySchemaElement {
    /// The attribute.
    pub name: String,
    /// Its role.
    pub key_type: KeyType,
}

/// What an index holds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Projection {
    /// In general.
    pub kind: Option<ProjectionType>,
    /// Named attributes.
    pub non_key_attributes: Option<Vec<String>>,
}

/// Reserved capacity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Throughput {
    /// Read units a second.
    pub read: i64,
    /// Write units a second.
    pub write: i64,
}

/// Ceilings for on-demand tables, and warm throughput: both numbers may be absent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OptionalThroughput {
    /// Read units a second.
    pub read: Option<i64>,
    /// Write units a second.
    pub write: Option<i64>,
}

/// Whether a table has a stream, and what it shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StreamSpecification {
    /// Whether there is one.
    pub enabled: bool,
    /// What its records show.
    pub view_type: Option<StreamViewType>,
}

/// Wishes about encryption, kept and described as given.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SseSpecification {
    /// Whether a managed key is used.
    pub enabled: Option<bool>,
    /// Which kind.
    pub kind: Option<SseType>,
    /// Which key.
    pub kms_key_id: Option<String>,
}

/// A label on a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag {
    /// Its name.
    pub key: String,
    /// Its content.
    pub value: String,
}

/// A global index to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GlobalIndex {
    /// Its name.
    pub name: String,
    /// Its key.
    pub key_schema: Vec<KeySchemaElement>,
    /// What it holds.
    pub projection: Projection,
    /// Reserved capacity.
    pub throughput: Option<Throughput>,
    /// Ceilings on demand.
    pub on_demand: Option<OptionalThroughput>,
    /// Warm throughput.
    pub warm: Option<OptionalThroughput>,
}

/// A local index to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalIndex {
    /// Its name.
    pub name: String,
    /// Its key.
    pub key_schema: Vec<KeySchemaElement>,
    /// What it holds.
    pub projection: Projection,
}

/// Makes a table.
#[derive(Debug, Clone, Default)]
pub struct CreateTable {
    /// Its name.
    pub table_name: String,
    /// Types of all key attributes.
    pub attribute_definitions: Vec<AttributeDefinition>,
    /// Its primary key.
    pub key_schema: Vec<KeySchemaElement>,
    /// Local indexes.
    pub local_indexes: Option<Vec<LocalIndex>>,
    /// Global indexes.
    pub global_indexes: Option<Vec<GlobalIndex>>,
    /// How it is paid for.
    pub billing_mode: Option<BillingMode>,
    /// Reserved capacity.
    pub throughput: Option<Throughput>,
    /// Its stream.
    pub stream: Option<StreamSpecification>,
    /// Its encryption.
    pub sse: Option<SseSpecification>,
    /// Its labels.
    pub tags: Option<Vec<Tag>>,
    /// Its storage class.
    pub table_class: Option<TableClass>,
    /// Whether DeleteTable is refused.
    pub deletion_protection: Option<bool>,
    /// Ceilings on demand.
    pub on_demand: Option<OptionalThroughput>,
    /// Warm throughput.
    pub warm: Option<OptionalThroughput>,
}

/// One change to the global indexes of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GlobalIndexUpdate {
    /// Makes an index.
    Create(GlobalIndex),
    /// Changes an index's capacity.
    Update {
        /// The index.
        name: String,
        /// Reserved capacity.
        throughput: Option<Throughput>,
        /// Ceilings on demand.
        on_demand: Option<OptionalThroughput>,
        /// Warm throughput.
        warm: Option<OptionalThroughput>,
    },
    /// Removes an index.
    Delete {
        /// The index.
        name: String,
    },
}

/// Changes a table.
#[derive(Debug, Clone, Default)]
pub struct UpdateTable {
    /// The table's name or ARN.
    pub table_name: String,
    /// Types of key attributes, for new indexes.
    pub attribute_definitions: Option<Vec<AttributeDefinition>>,
    /// How it is paid for.
    pub billing_mode: Option<BillingMode>,
    /// Reserved capacity.
    pub throughput: Option<Throughput>,
    /// Changes to global indexes.
    pub global_index_updates: Option<Vec<GlobalIndexUpdate>>,
    /// Its stream.
    pub stream: Option<StreamSpecification>,
    /// Its encryption.
    pub sse: Option<SseSpecification>,
    /// Its storage class.
    pub table_class: Option<TableClass>,
    /// Whether DeleteTable is refused.
    pub deletion_protection: Option<bool>,
    /// Ceilings on demand.
    pub on_demand: Option<OptionalThroughput>,
    /// Warm throughput.
    pub warm: Option<OptionalThroughput>,
    /// Whether the request asks for replicas, which are not offered.
    pub replica_updates: bool,
}

/// Tells about a table.
#[derive(Debug, Clone, Default)]
pub struct DescribeTable {
    /// The table's name or ARN.
    pub table_name: String,
}

/// Removes a table.
#[derive(Debug, Clone, Default)]
pub struct DeleteTable {
    /// The table's name or ARN.
    pub table_name: String,
}

/// Reserved capacity, with its history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ThroughputDescription {
    /// The units.
    pub throughput: Throughput,
    /// When they were last raised, in milliseconds since 1970.
    pub last_increase_ms: Option<i64>,
    /// When they were last lowered, in milliseconds since 1970.
    pub last_decrease_ms: Option<i64>,
    /// How often they were lowered today.
    pub decreases_today: i64,
}

/// What is known of an index.
#[derive(Debug, Clone, PartialEq)]
pub struct IndexDescription {
    /// Its name.
    pub name: String,
    /// Its ARN.
    pub arn: String,
    /// Its key.
    pub key_schema: Vec<KeySchemaElement>,
    /// What it holds.
    pub projection: Projection,
    /// Where it stands; local indexes have no status.
    pub status: Option<IndexStatus>,
    /// Whether it is being filled.
    pub backfilling: Option<bool>,
    /// Reserved capacity; local indexes have none.
    pub throughput: Option<ThroughputDescription>,
    /// Ceilings on demand.
    pub on_demand: Option<OptionalThroughput>,
    /// Warm throughput.
    pub warm: Option<OptionalThroughput>,
    /// Bytes held.
    pub size_bytes: i64,
    /// Items held.
    pub item_count: i64,
}

/// What is known of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct TableDescription {
    /// Its name.
    pub table_name: String,
    /// Its ARN.
    pub arn: String,
    /// Its id.
    pub id: String,
    /// Where it stands.
    pub status: TableStatus,
    /// When it was made, in milliseconds since 1970; DeleteTable does not tell.
    pub created_ms: Option<i64>,
    /// Types of all key attributes.
    pub attribute_definitions: Vec<AttributeDefinition>,
    /// Its primary key.
    pub key_schema: Vec<KeySchemaElement>,
    /// Its local indexes.
    pub local_indexes: Vec<IndexDescription>,
    /// Its global indexes.
    pub global_indexes: Vec<IndexDescription>,
    /// How it is paid for; absent when it was never said.
    pub billing_mode: Option<BillingMode>,
    /// When it was last switched to on demand.
    pub on_demand_since_ms: Option<i64>,
    /// Reserved capacity.
    pub throughput: ThroughputDescription,
    /// Its stream.
    pub stream: Option<StreamSpecification>,
    /// The label of its newest stream.
    pub latest_stream_label: Option<String>,
    /// The ARN of its newest stream.
    pub latest_stream_arn: Option<String>,
    /// Its encryption.
    pub sse: Option<SseSpecification>,
    /// Its storage class; absent when it was never said.
    pub table_class: Option<TableClass>,
    /// When its storage class was last changed.
    pub table_class_updated_ms: Option<i64>,
    /// Whether DeleteTable is refused.
    pub deletion_protection: bool,
    /// Ceilings on demand.
    pub on_demand: Option<OptionalThroughput>,
    /// Warm throughput.
    pub warm: Option<OptionalThroughput>,
    /// Bytes held.
    pub size_bytes: i64,
    /// Items held.
    pub item_count: i64,
}

/// Names the tables.
#[derive(Debug, Clone, Default)]
pub struct ListTables {
    /// Where the previous page ended.
    pub exclusive_start_table_name: Option<String>,
    /// The most to name.
    pub limit: Option<i64>,
}

/// The answer of ListTables.
#[derive(Debug, Clone, Default)]
pub struct ListTablesOutput {
    /// The names, ascending.
    pub table_names: Vec<String>,
    /// Where the next page starts, if there may be one.
    pub last_evaluated_table_name: Option<String>,
}

/// Labels a table.
#[derive(Debug, Clone)]
pub struct TagResource {
    /// The table's ARN.
    pub arn: String,
    /// The labels.
    pub tags: Vec<Tag>,
}

/// Takes labels off a table.
#[derive(Debug, Clone)]
pub struct UntagResource {
    /// The table's ARN.
    pub arn: String,
    /// The names of the labels.
    pub keys: Vec<String>,
}

/// Lists the labels of a table.
#[derive(Debug, Clone)]
pub struct ListTagsOfResource {
    /// The table's ARN.
    pub arn: String,
    /// Where the previous page ended.
    pub next_token: Option<String>,
}

/// The answer of ListTagsOfResource.
#[derive(Debug, Clone, Default)]
pub struct ListTagsOutput {
    /// The labels.
    pub tags: Vec<Tag>,
    /// Where the next page starts, if there may be one.
    pub next_token: Option<String>,
}

/// Switches time to live on or off.
#[derive(Debug, Clone)]
pub struct UpdateTimeToLive {
    /// The table's name or ARN.
    pub table_name: String,
    /// The wish.
    pub specification: TimeToLiveSpecification,
}

/// Whether items expire, and which attribute says when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimeToLiveSpecification {
    /// Whether they do.
    pub enabled: bool,
    /// The attribute: a number, seconds since 1970.
    pub attribute: String,
}

/// Tells where time to live stands.
#[derive(Debug, Clone)]
pub struct DescribeTimeToLive {
    /// The table's name or ARN.
    pub table_name: String,
}

/// The answer of DescribeTimeToLive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimeToLiveDescription {
    /// Where it stands.
    pub status: TimeToLiveStatus,
    /// The attribute, unless it is off.
    pub attribute: Option<String>,
}

/// Tells about limits of the account.
#[derive(Debug, Clone, Default)]
pub struct DescribeLimits;

/// The answer of DescribeLimits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LimitsOutput {
    /// Of all tables together.
    pub account: Throughput,
    /// Of one table.
    pub table: Throughput,
}

/// Tells which address to talk to.
#[derive(Debug, Clone, Default)]
pub struct DescribeEndpoints;

/// The answer of DescribeEndpoints: the server fills in its own address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndpointsOutput {
    /// Host and port.
    pub address: String,
    /// For how long the answer holds.
    pub cache_minutes: i64,
}

/// Tells about backups of a table.
#[derive(Debug, Clone)]
pub struct DescribeContinuousBackups {
    /// The table's name or ARN.
    pub table_name: String,
}

/// The answer of DescribeContinuousBackups.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContinuousBackupsDescription {
    /// Whether any point in time can be restored.
    pub point_in_time_recovery: bool,
}
