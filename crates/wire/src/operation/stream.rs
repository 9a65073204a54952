//! The operations of DynamoDB Streams.

use espalier_dynamo::Operation;
use espalier_dynamo::operation::stream::{self, ShardIteratorType};

use crate::fault::Fault;
use crate::fields::{Named, Nested, Required, Text, Whole, members};
use crate::request::Build;

/// The ARN of a stream.
type StreamArn = Text<37, 1_024>;
/// The id of a shard.
type ShardId = Text<28, 65>;

members! {
    ListStreams as "ListStreamsInput" {
        "ExclusiveStartStreamArn" exclusive_start_stream_arn: StreamArn,
        "Limit" limit: Whole<1, 100>,
        "TableName" table_name: Text<3, 255, true>,
    }
}

impl Build for ListStreams {
    fn build(self) -> Result<Operation, Fault> {
        Ok(Operation::ListStreams(stream::ListStreams {
            table_name: self.table_name.0,
            limit: self.limit.0,
            exclusive_start_stream_arn: self.exclusive_start_stream_arn.0,
        }))
    }
}

members! {
    ShardFilter as "ShardFilter" {
        "ShardId" shard_id: ShardId,
    }
}

members! {
    DescribeStream as "DescribeStreamInput" {
        "ExclusiveStartShardId" exclusive_start_shard_id: ShardId,
        "Limit" limit: Whole<1, 100>,
        "StreamArn" stream_arn: Required<StreamArn>,
        "ShardFilter" shard_filter: Nested<ShardFilter>,
    }
}

impl Build for DescribeStream {
    fn build(self) -> Result<Operation, Fault> {
        Ok(Operation::DescribeStream(stream::DescribeStream {
            stream_arn: self.stream_arn.get().text(),
            limit: self.limit.0,
            exclusive_start_shard_id: self.exclusive_start_shard_id.0,
            child_shards_of: self.shard_filter.0.and_then(|filter| filter.shard_id.0),
        }))
    }
}

members! {
    GetShardIterator as "GetShardIteratorInput" {
        "ShardId" shard_id: Required<ShardId>,
        "ShardIteratorType" iterator_type: Required<Named<ShardIteratorType>>,
        "SequenceNumber" sequence_number: Text<21, 40>,
        "StreamArn" stream_arn: Required<StreamArn>,
    }
}

impl Build for GetShardIterator {
    fn build(self) -> Result<Operation, Fault> {
        Ok(Operation::GetShardIterator(stream::GetShardIterator {
            stream_arn: self.stream_arn.get().text(),
            shard_id: self.shard_id.get().text(),
            iterator_type: self.iterator_type.get().get().unwrap_or(ShardIteratorType::TrimHorizon),
            sequence_number: self.sequence_number.0,
        }))
    }
}

members! {
    GetRecords as "GetRecordsInput" {
        "Limit" limit: Whole<1, 1_000>,
        "ShardIterator" shard_iterator: Required<Text<1, 2_048>>,
    }
}

impl Build for GetRecords {
    fn build(self) -> Result<Operation, Fault> {
        Ok(Operation::GetRecords(stream::GetRecords {
            shard_iterator: self.shard_iterator.get().text(),
            limit: self.limit.0,
        }))
    }
}
