//! DynamoDB Streams: what happened to the items of a table, in order, for 24 hours.
//!
//! A record is stored in the same commit as the change it tells of, under a sequence number that the one writer
//! gives out; so records are exactly once, in order, and a transaction's records stay together. A stream has one
//! shard, open while the stream is on.

pub mod record;

use std::ops::{Bound, ControlFlow};
use std::sync::Arc;

use espalier_dynamo::error::Invalid;
use espalier_dynamo::operation::stream::{
    DescribeStream, GetRecords, GetRecordsOutput, GetShardIterator, GetShardIteratorOutput, ListStreams,
    ListStreamsOutput, Shard, ShardIteratorType, StreamDescription, StreamName, StreamStatus,
};
use espalier_dynamo::{Error as Fault, Result};
use espalier_store::{Direction, Snapshot};

use crate::catalogue::Catalogue;
use crate::engine::Inner;
use crate::layout::{Key, after_prefix, record_sequence};
use crate::limits::{ITERATOR_MS, PAGE_BYTES, STREAM_RETENTION_MS};
use crate::table::arn::Label;
use crate::table::error::TableError;
use crate::table::{Stream, Table};

/// Why a request about streams is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// No such shard.
    #[error("Requested resource not found: Shard does not exist")]
    NoShard,
    /// Not an iterator of ours.
    #[error("Invalid ShardIterator")]
    BadIterator,
    /// Not a sequence number of ours.
    #[error("Invalid SequenceNumber: {0}")]
    BadSequence(String),
    /// The iterator type needs a sequence number.
    #[error("1 validation error detected: SequenceNumber is required when ShardIteratorType is {0}")]
    NeedsSequence(ShardIteratorType),
    /// The iterator type takes no sequence number.
    #[error("1 validation error detected: SequenceNumber must not be specified when ShardIteratorType is {0}")]
    TakesNoSequence(ShardIteratorType),
    /// The record is gone.
    #[error(
        "The operation attempted to read past the oldest stream record in a shard. The oldest available sequence number is {0}"
    )]
    Trimmed(String),
}

/// The most records GetRecords returns.
const RECORDS: usize = 1000;
/// The most names or shards one page tells of.
const NAMES: usize = 100;

/// The sequence number after the newest stored record.
pub fn next_sequence(snapshot: &Snapshot, catalogue: &Catalogue) -> Result<u64> {
    let mut next = 1;
    for table in catalogue.tables() {
        for stream in &table.definition.streams {
            if let Some(last) = edge(snapshot, table.definition.id, stream, Direction::Backward)? {
                next = next.max(last + 1);
            }
        }
    }
    Ok(next)
}

/// The oldest or newest record of a stream.
fn edge(snapshot: &Snapshot, table: u32, stream: &Stream, direction: Direction) -> Result<Option<u64>> {
    let prefix = Key::Records(table, stream.created_ms).encode();
    let end = after_prefix(&prefix);
    let to = end.as_deref().map_or(Bound::Unbounded, Bound::Excluded);
    let mut found = None;
    snapshot
        .scan(Bound::Included(&prefix), to, direction, &mut |key, _| {
            found = Some(record_sequence(key));
            ControlFlow::Break(())
        })
        .map_err(Fault::internal)?;
    Ok(found)
}

/// The one shard of a stream.
fn shard_id(stream: &Stream) -> String {
    format!("shardId-{:020}-{:08x}", stream.created_ms, stream.created_ms as u32)
}

/// A place in a shard, as clients hold it.
struct Iterator {
    created_ms: i64,
    table: u32,
    stream: i64,
    next: u64,
}

impl Iterator {
    fn encode(&self, arn: &str) -> String {
        format!("{arn}|1|{:016x}{:08x}{:016x}{:016x}", self.created_ms, self.table, self.stream, self.next)
    }

    fn decode(text: &str) -> Option<Self> {
        let digits = text.rsplit_once('|')?.1;
        if digits.len() != 56 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return None;
        }
        let word = |from: usize, to: usize| u64::from_str_radix(&digits[from..to], 16).ok();
        Some(Self {
            created_ms: word(0, 16)? as i64,
            table: word(16, 24)? as u32,
            stream: word(24, 40)? as i64,
            next: word(40, 56)?,
        })
    }
}

impl Inner {
    /// Names the streams.
    pub fn list_streams(&self, request: &ListStreams) -> Result<ListStreamsOutput> {
        let catalogue = self.catalogue();
        let only = request.table_name.as_deref().map(|named| self.table(named)).transpose()?;
        let mut streams: Vec<StreamName> = catalogue
            .tables()
            .filter(|table| only.as_ref().is_none_or(|only| only.definition.id == table.definition.id))
            .flat_map(|table| table.definition.streams.iter().map(|stream| self.stream_name(table, stream)))
            .collect();
        streams.sort_by(|a, b| a.arn.cmp(&b.arn));
        if let Some(start) = &request.exclusive_start_stream_arn {
            match self.owner().stream_arn(start) {
                // A stream that is gone by now is still a place to go on from.
                Ok(_) | Err(Fault::ResourceNotFound(_)) => {}
                Err(fault) => return Err(fault),
            }
            streams.retain(|stream| stream.arn > *start);
        }
        let limit = request.limit.map_or(NAMES, |limit| limit.max(1) as usize);
        let more = streams.len() > limit;
        streams.truncate(limit);
        let last_evaluated_stream_arn = streams.last().filter(|_| more).map(|stream| stream.arn.clone());
        Ok(ListStreamsOutput { streams, last_evaluated_stream_arn })
    }

    /// Tells about a stream and its shard.
    pub fn describe_stream(&self, request: &DescribeStream) -> Result<StreamDescription> {
        let (table, stream) = self.stream(&request.stream_arn)?;
        let id = shard_id(&stream);
        let skipped = request.exclusive_start_shard_id.is_some() || request.child_shards_of.is_some();
        let ending = match stream.disabled_ms {
            Some(_) => {
                Some(edge(&self.store.snapshot(), table.definition.id, &stream, Direction::Backward)?.unwrap_or(0))
            }
            None => None,
        };
        let shard = Shard {
            id,
            parent: None,
            starting_sequence_number: record::sequence_text(0),
            ending_sequence_number: ending.map(record::sequence_text),
        };
        Ok(StreamDescription {
            name: self.stream_name(&table, &stream),
            status: if stream.disabled_ms.is_some() { StreamStatus::Disabled } else { StreamStatus::Enabled },
            view_type: stream.view_type,
            created_ms: stream.created_ms,
            key_schema: table.definition.key_schema.clone(),
            shards: if skipped { Vec::new() } else { vec![shard] },
            last_evaluated_shard_id: None,
        })
    }

    /// Gives a place to start reading.
    pub fn get_shard_iterator(&self, request: &GetShardIterator) -> Result<GetShardIteratorOutput> {
        let (table, stream) = self.stream(&request.stream_arn)?;
        let kind = request.iterator_type;
        if request.shard_id != shard_id(&stream) {
            return Err(Fault::ResourceNotFound(Invalid::new(Error::NoShard)));
        }
        let named = request.sequence_number.as_deref();
        let sequence = || -> Result<u64> {
            let text = named.ok_or_else(|| Fault::invalid(Error::NeedsSequence(kind)))?;
            record::parse_sequence(text).ok_or_else(|| Fault::invalid(Error::BadSequence(text.to_owned())))
        };
        let snapshot = self.store.snapshot();
        let id = table.definition.id;
        let next = match kind {
            ShardIteratorType::TrimHorizon | ShardIteratorType::Latest if named.is_some() => {
                return Err(Fault::invalid(Error::TakesNoSequence(kind)));
            }
            ShardIteratorType::TrimHorizon => 0,
            ShardIteratorType::Latest => edge(&snapshot, id, &stream, Direction::Backward)?.map_or(0, |last| last + 1),
            ShardIteratorType::AtSequenceNumber => sequence()?,
            ShardIteratorType::AfterSequenceNumber => sequence()? + 1,
        };
        // The number that a shard starts with is before its first record, and always good to start from.
        if named.and_then(record::parse_sequence).is_some_and(|number| number > 0) {
            let oldest = edge(&snapshot, id, &stream, Direction::Forward)?;
            if let Some(oldest) = oldest.filter(|oldest| next < *oldest) {
                return Err(Fault::TrimmedDataAccess(Invalid::new(Error::Trimmed(record::sequence_text(oldest)))));
            }
        }
        let place = Iterator { created_ms: self.options.clock.now_ms(), table: id, stream: stream.created_ms, next };
        Ok(GetShardIteratorOutput { shard_iterator: place.encode(&request.stream_arn) })
    }

    /// Reads records.
    pub fn get_records(&self, request: &GetRecords) -> Result<GetRecordsOutput> {
        let place = Iterator::decode(&request.shard_iterator).ok_or_else(|| Fault::invalid(Error::BadIterator))?;
        let now_ms = self.options.clock.now_ms();
        if now_ms - place.created_ms > ITERATOR_MS {
            let (created, now) = (place.created_ms.to_string(), now_ms.to_string());
            return Err(Fault::ExpiredIterator { created, now });
        }
        let gone = || Fault::from(TableError::StreamNotFound(request.shard_iterator.clone()));
        let table = self.catalogue().by_id(place.table).ok_or_else(gone)?.clone();
        let stream =
            table.definition.streams.iter().find(|stream| stream.created_ms == place.stream).ok_or_else(gone)?;
        let limit = request.limit.map_or(RECORDS, |limit| (limit.max(1) as usize).min(RECORDS));
        let (records, last) = self.read_records(&table, stream, place.next, limit, now_ms - STREAM_RETENTION_MS)?;
        let snapshot_end = stream.disabled_ms.is_some() && records.len() < limit && last.is_none_or(|(_, more)| !more);
        let next = last.map_or(place.next, |(sequence, _)| sequence + 1);
        let arn = request.shard_iterator.rsplit_once("|1|").map_or("", |(arn, _)| arn);
        let onward = Iterator { created_ms: now_ms, next, ..place };
        Ok(GetRecordsOutput { records, next_shard_iterator: (!snapshot_end).then(|| onward.encode(arn)) })
    }

    /// Records from a sequence number on, and the last one passed with whether the page was cut there.
    #[allow(clippy::type_complexity, reason = "a pair of a pair, used once above")]
    fn read_records(
        &self,
        table: &Arc<Table>,
        stream: &Stream,
        next: u64,
        limit: usize,
        horizon_ms: i64,
    ) -> Result<(Vec<espalier_dynamo::operation::stream::StreamRecord>, Option<(u64, bool)>)> {
        let id = table.definition.id;
        let from = Key::Record(id, stream.created_ms, next).encode();
        let end = after_prefix(&Key::Records(id, stream.created_ms).encode());
        let to = end.as_deref().map_or(Bound::Unbounded, Bound::Excluded);
        let mut records = Vec::new();
        let mut last = None;
        let mut bytes = 0;
        let mut visit = |key: &[u8], value: &[u8]| {
            if records.len() >= limit || bytes >= PAGE_BYTES {
                last = last.map(|(sequence, _)| (sequence, true));
                return ControlFlow::Break(());
            }
            let sequence = record_sequence(key);
            last = Some((sequence, false));
            if record::created_ms(value) > horizon_ms {
                bytes += value.len();
                records.push(record::decode(id, sequence, stream.view_type, value));
            }
            ControlFlow::Continue(())
        };
        self.store
            .snapshot()
            .scan(Bound::Included(&from), to, Direction::Forward, &mut visit)
            .map_err(Fault::internal)?;
        Ok((records, last))
    }

    fn stream(&self, named: &str) -> Result<(Arc<Table>, Stream)> {
        let none = || -> Fault { TableError::StreamNotFound(named.to_owned()).into() };
        let (table_name, created_ms) = self.owner().stream_arn(named)?;
        let table = self.catalogue().get(table_name).cloned().ok_or_else(none)?;
        let stream =
            table.definition.streams.iter().find(|stream| stream.created_ms == created_ms).cloned().ok_or_else(none)?;
        Ok((table, stream))
    }

    fn stream_name(&self, table: &Table, stream: &Stream) -> StreamName {
        let arn = self.owner().stream(table.name(), stream.created_ms);
        StreamName { arn, table_name: table.name().to_owned(), label: Label(stream.created_ms).to_string() }
    }
}
