//! Operations of DynamoDB Streams: ListStreams, DescribeStream, GetShardIterator, GetRecords.

use super::table::{KeySchemaElement, StreamViewType};
use crate::item::Item;
use crate::text_enum::text_enum;

text_enum! {
    /// Where in a shard to start reading.
    ShardIteratorType {
        /// At the oldest record that is kept.
        TrimHorizon = "TRIM_HORIZON",
        /// After the newest record.
        Latest = "LATEST",
        /// At a record.
        AtSequenceNumber = "AT_SEQUENCE_NUMBER",
        /// After a record.
        AfterSequenceNumber = "AFTER_SEQUENCE_NUMBER",
    }
}

text_enum! {
    /// Whether a stream takes records.
    StreamStatus {
        /// Being switched on.
        Enabling = "ENABLING",
        /// On.
        Enabled = "ENABLED",
        /// Being switched off.
        Disabling = "DISABLING",
        /// Off; records stay readable for 24 hours.
        Disabled = "DISABLED",
    }
}

text_enum! {
    /// What happened to an item.
    EventName {
        /// It was created.
        Insert = "INSERT",
        /// It was changed.
        Modify = "MODIFY",
        /// It was removed.
        Remove = "REMOVE",
    }
}

/// Names the streams.
#[derive(Debug, Clone, Default)]
pub struct ListStreams {
    /// Only those of this table.
    pub table_name: Option<String>,
    /// The most to name.
    pub limit: Option<i64>,
    /// Where the previous page ended.
    pub exclusive_start_stream_arn: Option<String>,
}

/// One stream by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamName {
    /// Its ARN.
    pub arn: String,
    /// The table it belongs to.
    pub table_name: String,
    /// Its label: the moment it was switched on.
    pub label: String,
}

/// The answer of ListStreams.
#[derive(Debug, Clone, Default)]
pub struct ListStreamsOutput {
    /// The streams.
    pub streams: Vec<StreamName>,
    /// Where the next page starts, if there may be one.
    pub last_evaluated_stream_arn: Option<String>,
}

/// Tells about a stream and its shards.
#[derive(Debug, Clone, Default)]
pub struct DescribeStream {
    /// The stream.
    pub stream_arn: String,
    /// The most shards to tell about.
    pub limit: Option<i64>,
    /// Where the previous page ended.
    pub exclusive_start_shard_id: Option<String>,
    /// Only the children of this shard.
    pub child_shards_of: Option<String>,
}

/// One shard of a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shard {
    /// Its id.
    pub id: String,
    /// The shard it continues.
    pub parent: Option<String>,
    /// The first sequence number it may hold.
    pub starting_sequence_number: String,
    /// The last one, once it is closed.
    pub ending_sequence_number: Option<String>,
}

/// What is known of a stream.
#[derive(Debug, Clone)]
pub struct StreamDescription {
    /// Its names.
    pub name: StreamName,
    /// Whether it takes records.
    pub status: StreamStatus,
    /// What its records show.
    pub view_type: StreamViewType,
    /// When it was switched on, in milliseconds since 1970.
    pub created_ms: i64,
    /// The table's keys.
    pub key_schema: Vec<KeySchemaElement>,
    /// Its shards.
    pub shards: Vec<Shard>,
    /// Where the next page of shards starts, if there may be one.
    pub last_evaluated_shard_id: Option<String>,
}

/// Asks for a place to start reading.
#[derive(Debug, Clone)]
pub struct GetShardIterator {
    /// The stream.
    pub stream_arn: String,
    /// The shard.
    pub shard_id: String,
    /// Where in it.
    pub iterator_type: ShardIteratorType,
    /// At or after which record, where the type needs one.
    pub sequence_number: Option<String>,
}

/// The answer of GetShardIterator.
#[derive(Debug, Clone)]
pub struct GetShardIteratorOutput {
    /// The place, for GetRecords, for fifteen minutes.
    pub shard_iterator: String,
}

/// Reads records.
#[derive(Debug, Clone)]
pub struct GetRecords {
    /// The place to read from.
    pub shard_iterator: String,
    /// The most records to read.
    pub limit: Option<i64>,
}

/// One change of one item.
#[derive(Debug, Clone)]
pub struct StreamRecord {
    /// A unique id.
    pub event_id: String,
    /// What happened.
    pub event_name: EventName,
    /// Whether time to live, rather than a client, removed the item.
    pub by_time_to_live: bool,
    /// When, in seconds since 1970.
    pub created_seconds: i64,
    /// The item's primary key.
    pub keys: Item,
    /// The item after the change.
    pub new_image: Option<Item>,
    /// The item before the change.
    pub old_image: Option<Item>,
    /// Its place in the shard.
    pub sequence_number: String,
    /// Bytes of key and images.
    pub size_bytes: usize,
    /// What the stream shows.
    pub view_type: StreamViewType,
}

/// The answer of GetRecords.
#[derive(Debug, Clone, Default)]
pub struct GetRecordsOutput {
    /// The records, in order.
    pub records: Vec<StreamRecord>,
    /// Where to go on; `None` at the end of a closed shard.
    pub next_shard_iterator: Option<String>,
}
