//! One response of every operation, with everything in it that can be.

use espalier_dynamo::error::{Error, Invalid};
use espalier_dynamo::operation::batch::{BatchGetItemOutput, BatchWrite, BatchWriteItemOutput, KeysAndAttributes};
use espalier_dynamo::operation::capacity::{ConsumedCapacity, ItemCollectionMetrics, Units};
use espalier_dynamo::operation::item::{GetItemOutput, WriteOutput};
use espalier_dynamo::operation::page::PageOutput;
use espalier_dynamo::operation::partiql::{
    BatchExecuteStatementOutput, BatchStatementOutput, ExecuteStatementOutput, ExecuteTransactionOutput,
};
use espalier_dynamo::operation::stream::{
    EventName, GetRecordsOutput, GetShardIteratorOutput, ListStreamsOutput, Shard, StreamDescription, StreamName,
    StreamRecord, StreamStatus,
};
use espalier_dynamo::operation::table::*;
use espalier_dynamo::operation::transaction::{TransactGetItemsOutput, TransactWriteItemsOutput};
use espalier_dynamo::{Item, Response};

const ARN: &str = "arn:aws:dynamodb:eu-west-1:000000000000:table/abc";
const MOMENT_MS: i64 = 1_700_000_000_007;

pub(crate) fn item() -> Item {
    Item::from([("pk", "a"), ("sk", "b")])
}

fn capacity() -> ConsumedCapacity {
    let units = Units { total: 1.5, read: Some(0.5), write: Some(1.0) };
    ConsumedCapacity {
        table_name: "abc".to_owned(),
        units,
        table: Some(units),
        local_indexes: [("l".to_owned(), units)].into(),
        global_indexes: [("g".to_owned(), units)].into(),
    }
}

fn metrics() -> ItemCollectionMetrics {
    ItemCollectionMetrics { key: item(), size_range_gb: (0.0, 1.0) }
}

fn key_schema() -> Vec<KeySchemaElement> {
    let element = |name: &str, key_type| KeySchemaElement { name: name.to_owned(), key_type };
    vec![element("pk", KeyType::Hash), element("sk", KeyType::Range)]
}

fn index(global: bool) -> IndexDescription {
    let units = OptionalThroughput { read: Some(12_000), write: Some(4_000) };
    IndexDescription {
        name: "index".to_owned(),
        arn: format!("{ARN}/index/index"),
        key_schema: key_schema(),
        projection: Projection { kind: Some(ProjectionType::Include), non_key_attributes: Some(vec!["x".to_owned()]) },
        status: global.then_some(IndexStatus::Creating),
        backfilling: global.then_some(true),
        throughput: global.then(ThroughputDescription::default),
        on_demand: global.then_some(units),
        warm: global.then_some(units),
        size_bytes: 7,
        item_count: 1,
    }
}

fn table() -> TableDescription {
    let units = OptionalThroughput { read: Some(12_000), write: Some(4_000) };
    TableDescription {
        table_name: "abc".to_owned(),
        arn: ARN.to_owned(),
        id: "01234567-89ab-cdef-0123-456789abcdef".to_owned(),
        status: TableStatus::Active,
        created_ms: Some(MOMENT_MS),
        attribute_definitions: vec![AttributeDefinition { name: "pk".to_owned(), kind: ScalarType::S }],
        key_schema: key_schema(),
        local_indexes: vec![index(false)],
        global_indexes: vec![index(true)],
        billing_mode: Some(BillingMode::PayPerRequest),
        on_demand_since_ms: Some(MOMENT_MS),
        throughput: ThroughputDescription {
            throughput: Throughput { read: 5, write: 5 },
            last_increase_ms: Some(MOMENT_MS),
            last_decrease_ms: Some(MOMENT_MS),
            decreases_today: 0,
        },
        stream: Some(StreamSpecification { enabled: true, view_type: Some(StreamViewType::KeysOnly) }),
        latest_stream_label: Some("label".to_owned()),
        latest_stream_arn: Some(format!("{ARN}/stream/label")),
        sse: Some(SseSpecification { enabled: Some(true), kind: Some(SseType::Kms), kms_key_id: None }),
        table_class: Some(TableClass::Standard),
        table_class_updated_ms: Some(MOMENT_MS),
        deletion_protection: true,
        on_demand: Some(units),
        warm: Some(units),
        size_bytes: 7,
        item_count: 1,
    }
}

pub(crate) fn full_table() -> Response {
    Response::DescribeTable(table())
}

fn stream_name() -> StreamName {
    StreamName { arn: format!("{ARN}/stream/label"), table_name: "abc".to_owned(), label: "label".to_owned() }
}

fn record() -> StreamRecord {
    StreamRecord {
        event_id: "1".to_owned(),
        event_name: EventName::Remove,
        by_time_to_live: true,
        created_seconds: 1_700_000_000,
        keys: item(),
        new_image: Some(item()),
        old_image: Some(item()),
        sequence_number: "000000000000000000001".to_owned(),
        size_bytes: 26,
        view_type: StreamViewType::NewAndOldImages,
    }
}

pub(crate) fn responses() -> Vec<(&'static str, Response)> {
    let capacity_of_all = || Some(vec![capacity()]);
    let write = || WriteOutput {
        attributes: Some(item()),
        consumed_capacity: Some(capacity()),
        item_collection_metrics: Some(metrics()),
    };
    let page = || PageOutput {
        items: Some(vec![item()]),
        count: 1,
        scanned_count: 2,
        last_evaluated_key: Some(item()),
        consumed_capacity: Some(capacity()),
    };
    let unprocessed = KeysAndAttributes {
        keys: vec![item()],
        projection_expression: Some("#a".to_owned()),
        names: Some([("#a".to_owned(), "a".to_owned())].into()),
        attributes_to_get: Some(vec!["a".to_owned()]),
        consistent_read: Some(true),
    };
    let by_table = || Some(vec![("abc".to_owned(), vec![metrics()])]);
    let failed = |error| BatchStatementOutput { table_name: Some("abc".to_owned()), result: Err(error) };
    vec![
        ("PutItem", Response::PutItem(write())),
        ("UpdateItem", Response::UpdateItem(write())),
        ("DeleteItem", Response::DeleteItem(write())),
        ("GetItem", Response::GetItem(GetItemOutput { item: Some(item()), consumed_capacity: Some(capacity()) })),
        ("Query", Response::Query(page())),
        ("Scan", Response::Scan(page())),
        (
            "BatchGetItem",
            Response::BatchGetItem(BatchGetItemOutput {
                responses: vec![("abc".to_owned(), vec![item()])],
                unprocessed: vec![("abc".to_owned(), unprocessed)],
                consumed_capacity: capacity_of_all(),
            }),
        ),
        (
            "BatchWriteItem",
            Response::BatchWriteItem(BatchWriteItemOutput {
                unprocessed: vec![("abc".to_owned(), vec![BatchWrite::Put(item()), BatchWrite::Delete(item())])],
                consumed_capacity: capacity_of_all(),
                item_collection_metrics: by_table(),
            }),
        ),
        (
            "TransactGetItems",
            Response::TransactGetItems(TransactGetItemsOutput {
                items: vec![Some(item()), None],
                consumed_capacity: capacity_of_all(),
            }),
        ),
        (
            "TransactWriteItems",
            Response::TransactWriteItems(TransactWriteItemsOutput {
                consumed_capacity: capacity_of_all(),
                item_collection_metrics: by_table(),
            }),
        ),
        (
            "ExecuteStatement",
            Response::ExecuteStatement(ExecuteStatementOutput {
                items: vec![item()],
                next_token: Some("next".to_owned()),
                last_evaluated_key: Some(item()),
                consumed_capacity: Some(capacity()),
            }),
        ),
        (
            "BatchExecuteStatement",
            Response::BatchExecuteStatement(BatchExecuteStatementOutput {
                responses: vec![
                    BatchStatementOutput { table_name: Some("abc".to_owned()), result: Ok(Some(item())) },
                    failed(Error::ConditionalCheckFailed { item: Some(item()) }),
                    failed(Error::ResourceNotFound(Invalid::new(std::io::Error::other("gone")))),
                    failed(Error::invalid(std::io::Error::other("wrong"))),
                    failed(Error::DuplicateItem),
                    failed(Error::TransactionConflict),
                    failed(Error::internal("secret")),
                ],
                consumed_capacity: capacity_of_all(),
            }),
        ),
        (
            "ExecuteTransaction",
            Response::ExecuteTransaction(ExecuteTransactionOutput {
                items: vec![None, Some(item())],
                consumed_capacity: capacity_of_all(),
            }),
        ),
        ("CreateTable", Response::CreateTable(table())),
        ("DescribeTable", full_table()),
        ("UpdateTable", Response::UpdateTable(table())),
        ("DeleteTable", Response::DeleteTable(table())),
        (
            "ListTables",
            Response::ListTables(ListTablesOutput {
                table_names: vec!["abc".to_owned()],
                last_evaluated_table_name: Some("abc".to_owned()),
            }),
        ),
        (
            "DescribeLimits",
            Response::DescribeLimits(LimitsOutput {
                account: Throughput { read: 80_000, write: 80_000 },
                table: Throughput { read: 40_000, write: 40_000 },
            }),
        ),
        (
            "DescribeEndpoints",
            Response::DescribeEndpoints(EndpointsOutput { address: "localhost:8000".to_owned(), cache_minutes: 1_440 }),
        ),
        ("TagResource", Response::TagResource(())),
        ("UntagResource", Response::UntagResource(())),
        (
            "ListTagsOfResource",
            Response::ListTagsOfResource(ListTagsOutput {
                tags: vec![Tag { key: "k".to_owned(), value: "v".to_owned() }],
                next_token: Some("next".to_owned()),
            }),
        ),
        (
            "UpdateTimeToLive",
            Response::UpdateTimeToLive(TimeToLiveSpecification { enabled: true, attribute: "ttl".to_owned() }),
        ),
        (
            "DescribeTimeToLive",
            Response::DescribeTimeToLive(TimeToLiveDescription {
                status: TimeToLiveStatus::Enabled,
                attribute: Some("ttl".to_owned()),
            }),
        ),
        (
            "DescribeContinuousBackups",
            Response::DescribeContinuousBackups(ContinuousBackupsDescription { point_in_time_recovery: false }),
        ),
        (
            "ListStreams",
            Response::ListStreams(ListStreamsOutput {
                streams: vec![stream_name()],
                last_evaluated_stream_arn: Some(format!("{ARN}/stream/label")),
            }),
        ),
        (
            "DescribeStream",
            Response::DescribeStream(StreamDescription {
                name: stream_name(),
                status: StreamStatus::Enabled,
                view_type: StreamViewType::NewImage,
                created_ms: MOMENT_MS,
                key_schema: key_schema(),
                shards: vec![Shard {
                    id: "shardId-1".to_owned(),
                    parent: Some("shardId-0".to_owned()),
                    starting_sequence_number: "1".to_owned(),
                    ending_sequence_number: Some("2".to_owned()),
                }],
                last_evaluated_shard_id: Some("shardId-1".to_owned()),
            }),
        ),
        ("GetShardIterator", Response::GetShardIterator(GetShardIteratorOutput { shard_iterator: "place".to_owned() })),
        (
            "GetRecords",
            Response::GetRecords(GetRecordsOutput {
                records: vec![record()],
                next_shard_iterator: Some(format!("{ARN}/stream/label|1|0")),
            }),
        ),
    ]
}
