//! Responses of DynamoDB Streams.

use espalier_dynamo::operation::stream::{
    GetRecordsOutput, GetShardIteratorOutput, ListStreamsOutput, Shard, StreamDescription, StreamName, StreamRecord,
};

use super::table::key_schema_element;
use super::writer::Object;

/// The region of records whose stream cannot be told, which is that of DynamoDB Local too.
const DEFAULT_REGION: &str = "us-east-1";

/// ListStreams.
pub(super) fn list(output: &ListStreamsOutput, out: &mut Vec<u8>) {
    let mut object = Object::begin(out);
    object.list("Streams", &output.streams, |out, stream: &StreamName| {
        let mut object = Object::begin(out);
        names(&mut object, stream);
        object.end();
    });
    object.optional_text("LastEvaluatedStreamArn", output.last_evaluated_stream_arn.as_deref());
    object.end();
}

fn names(object: &mut Object<'_>, stream: &StreamName) {
    object.text("StreamArn", &stream.arn);
    object.text("TableName", &stream.table_name);
    object.text("StreamLabel", &stream.label);
}

/// DescribeStream.
pub(super) fn description(output: &StreamDescription, out: &mut Vec<u8>) {
    let mut object = Object::begin(out);
    object.object("StreamDescription", |object| {
        names(object, &output.name);
        object.text("StreamStatus", output.status.name());
        object.text("StreamViewType", output.view_type.name());
        object.moment("CreationRequestDateTime", output.created_ms);
        object.list("KeySchema", &output.key_schema, key_schema_element);
        object.list("Shards", &output.shards, shard);
        object.optional_text("LastEvaluatedShardId", output.last_evaluated_shard_id.as_deref());
    });
    object.end();
}

fn shard(out: &mut Vec<u8>, shard: &Shard) {
    let mut object = Object::begin(out);
    object.text("ShardId", &shard.id);
    object.object("SequenceNumberRange", |object| {
        object.text("StartingSequenceNumber", &shard.starting_sequence_number);
        object.optional_text("EndingSequenceNumber", shard.ending_sequence_number.as_deref());
    });
    object.optional_text("ParentShardId", shard.parent.as_deref());
    object.end();
}

/// GetShardIterator.
pub(super) fn iterator(output: &GetShardIteratorOutput, out: &mut Vec<u8>) {
    let mut object = Object::begin(out);
    object.text("ShardIterator", &output.shard_iterator);
    object.end();
}

/// GetRecords.
pub(super) fn records(output: &GetRecordsOutput, out: &mut Vec<u8>) {
    // Like Amazon's, an iterator starts with the ARN of its stream.
    let iterator = output.next_shard_iterator.as_deref();
    let region = iterator
        .and_then(|iterator| iterator.strip_prefix("arn:aws:dynamodb:"))
        .and_then(|rest| rest.split(':').next())
        .unwrap_or(DEFAULT_REGION);
    let mut object = Object::begin(out);
    object.list("Records", &output.records, |out, entry: &StreamRecord| record(out, entry, region));
    object.optional_text("NextShardIterator", iterator);
    object.end();
}

fn record(out: &mut Vec<u8>, record: &StreamRecord, region: &str) {
    let mut object = Object::begin(out);
    object.text("eventID", &record.event_id);
    object.text("eventName", record.event_name.name());
    object.text("eventVersion", "1.1");
    object.text("eventSource", "aws:dynamodb");
    object.text("awsRegion", region);
    object.object("dynamodb", |object| {
        object.integer("ApproximateCreationDateTime", record.created_seconds);
        object.item("Keys", &record.keys);
        object.optional_item("NewImage", record.new_image.as_ref());
        object.optional_item("OldImage", record.old_image.as_ref());
        object.text("SequenceNumber", &record.sequence_number);
        object.integer("SizeBytes", record.size_bytes as i64);
        object.text("StreamViewType", record.view_type.name());
    });
    if record.by_time_to_live {
        object.object("userIdentity", |object| {
            object.text("Type", "Service");
            object.text("PrincipalId", "dynamodb.amazonaws.com");
        });
    }
    object.end();
}
