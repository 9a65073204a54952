//! Bodies of responses and faults, exactly.

#![allow(clippy::unwrap_used, reason = "a test that finds nothing should fail")]

mod samples;

use espalier_dynamo::Response;
use espalier_dynamo::error::{CancellationReason, Error, Invalid};
use espalier_dynamo::operation::batch::{BatchGetItemOutput, BatchWriteItemOutput};
use espalier_dynamo::operation::item::{GetItemOutput, WriteOutput};
use espalier_dynamo::operation::page::PageOutput;
use espalier_dynamo::operation::table::{TimeToLiveDescription, TimeToLiveStatus};
use espalier_dynamo::operation::transaction::TransactWriteItemsOutput;
use espalier_wire::{Fault, write_response};

#[track_caller]
fn answers(response: Response, expected: &str) {
    let mut out = Vec::new();
    write_response(&response, &mut out);
    assert_eq!(String::from_utf8(out).unwrap(), expected);
}

fn sample(name: &str) -> Response {
    samples::responses().into_iter().find(|(operation, _)| *operation == name).unwrap().1
}

#[test]
fn what_is_absent_is_left_out_and_what_amazon_always_sends_is_there() {
    answers(Response::PutItem(WriteOutput::default()), "{}");
    answers(Response::GetItem(GetItemOutput::default()), "{}");
    let none = PageOutput { items: Some(vec![]), ..PageOutput::default() };
    answers(Response::Query(none), r#"{"Items":[],"Count":0,"ScannedCount":0}"#);
    let count = PageOutput { count: 3, scanned_count: 4, ..PageOutput::default() };
    answers(Response::Scan(count), r#"{"Count":3,"ScannedCount":4}"#);
    answers(Response::BatchGetItem(BatchGetItemOutput::default()), r#"{"Responses":{},"UnprocessedKeys":{}}"#);
    answers(Response::BatchWriteItem(BatchWriteItemOutput::default()), r#"{"UnprocessedItems":{}}"#);
    answers(Response::TransactWriteItems(TransactWriteItemsOutput::default()), "{}");
    let off = TimeToLiveDescription { status: TimeToLiveStatus::Disabled, attribute: None };
    answers(Response::DescribeTimeToLive(off), r#"{"TimeToLiveDescription":{"TimeToLiveStatus":"DISABLED"}}"#);
}

#[test]
fn capacity_and_metrics_show_their_fractions() {
    let item = r#"{"pk":{"S":"a"},"sk":{"S":"b"}}"#;
    let units = r#""CapacityUnits":1.5,"ReadCapacityUnits":0.5,"WriteCapacityUnits":1.0"#;
    let capacity = format!(
        r#"{{"TableName":"abc",{units},"Table":{{{units}}},"LocalSecondaryIndexes":{{"l":{{{units}}}}},"GlobalSecondaryIndexes":{{"g":{{{units}}}}}}}"#
    );
    let metrics = format!(r#"{{"ItemCollectionKey":{item},"SizeEstimateRangeGB":[0.0,1.0]}}"#);
    let expected =
        format!(r#"{{"Attributes":{item},"ConsumedCapacity":{capacity},"ItemCollectionMetrics":{metrics}}}"#);
    answers(sample("PutItem"), &expected);
}

#[test]
fn stream_records_carry_region_and_identity() {
    let mut out = Vec::new();
    write_response(&sample("GetRecords"), &mut out);
    let body = String::from_utf8(out).unwrap();
    for part in [
        r#""awsRegion":"eu-west-1""#,
        r#""ApproximateCreationDateTime":1700000000"#,
        r#""userIdentity":{"Type":"Service","PrincipalId":"dynamodb.amazonaws.com"}"#,
    ] {
        assert!(body.contains(part), "{part} in {body}");
    }
    let mut out = Vec::new();
    write_response(&samples::full_table(), &mut out);
    let body = String::from_utf8(out).unwrap();
    assert!(body.contains(r#""CreationDateTime":1700000000.007"#), "{body}");
    assert!(body.contains(r#""KMSMasterKeyArn":"arn:aws:kms:eu-west-1:000000000000:key/"#), "{body}");
}

#[track_caller]
fn faults(fault: Fault, status: u16, expected: &str) {
    assert_eq!(fault.status(), status);
    assert_eq!(String::from_utf8(fault.body()).unwrap(), expected);
}

#[test]
fn faults_have_amazons_bodies() {
    let cause = |text: &str| Invalid::new(std::io::Error::other(text.to_owned()));
    let item = Some(samples::item());
    let item_json = r#"{"pk":{"S":"a"},"sk":{"S":"b"}}"#;
    faults(
        Fault::Serialization { message: None },
        400,
        r#"{"__type":"com.amazon.coral.service#SerializationException"}"#,
    );
    faults(
        Fault::Serialization { message: Some(espalier_wire::Mismatch::Token) },
        400,
        r#"{"__type":"com.amazon.coral.service#SerializationException","Message":"Unexpected token received from parser"}"#,
    );
    faults(Fault::UnknownOperation, 400, r#"{"__type":"com.amazon.coral.service#UnknownOperationException"}"#);
    faults(
        Fault::MissingAuthenticationToken,
        400,
        r#"{"__type":"com.amazon.coral.service#MissingAuthenticationTokenException","message":"Request is missing Authentication Token"}"#,
    );
    faults(
        Fault::UnrecognizedClient,
        400,
        r#"{"__type":"com.amazon.coral.service#UnrecognizedClientException","message":"The security token included in the request is invalid."}"#,
    );
    assert_eq!(Fault::RequestTooLarge.status(), 413);
    faults(
        Error::Validation(cause("no \"quotes\"")).into(),
        400,
        r#"{"__type":"com.amazon.coral.validate#ValidationException","message":"no \"quotes\""}"#,
    );
    faults(
        Error::ConditionalCheckFailed { item: None }.into(),
        400,
        r#"{"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException","message":"The conditional request failed"}"#,
    );
    faults(
        Error::ConditionalCheckFailed { item: item.clone() }.into(),
        400,
        &format!(
            r#"{{"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException","message":"The conditional request failed","Item":{item_json}}}"#
        ),
    );
    faults(
        Error::TransactionCanceled(vec![
            CancellationReason::None,
            CancellationReason::ConditionalCheckFailed(item),
            CancellationReason::ValidationError(cause("why")),
        ])
        .into(),
        400,
        &format!(
            r#"{{"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException","CancellationReasons":[{{"Code":"None"}},{{"Code":"ConditionalCheckFailed","Item":{item_json},"Message":"The conditional request failed"}},{{"Code":"ValidationError","Message":"why"}}],"Message":"Transaction cancelled, please refer cancellation reasons for specific reasons [None, ConditionalCheckFailed, ValidationError]"}}"#
        ),
    );
    faults(
        Error::internal("the disk is on fire").into(),
        500,
        r#"{"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError","message":"Internal server error"}"#,
    );
}
