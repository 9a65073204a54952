//! Bodies and what DynamoDB says about them, exactly.
//!
//! Where the sentences come from: dynalite's suite (captured from DynamoDB) and the public conformance suite. They are
//! those of the older wording, which most regions used when these were captured: see docs/decisions/0006.

#![allow(clippy::unwrap_used, reason = "a test that finds nothing should fail")]

use espalier_wire::{Service, parse};
use serde_json::Value;

/// The verdict as one line: `Exception: message`, or `ok`.
fn verdict(operation: &str, body: &str) -> String {
    let service = match operation {
        "ListStreams" | "DescribeStream" | "GetShardIterator" | "GetRecords" => Service::Streams,
        _ => Service::DynamoDb,
    };
    match parse(operation, service, body.as_bytes()) {
        Ok(parsed) => {
            assert_eq!(parsed.name(), operation);
            "ok".to_owned()
        }
        Err(fault) => {
            let body: Value = serde_json::from_slice(&fault.body()).unwrap();
            let message = ["message", "Message"].iter().find_map(|key| body[*key].as_str());
            match message {
                Some(message) => format!("{}: {message}", fault.exception()),
                None => fault.exception().to_owned(),
            }
        }
    }
}

#[track_caller]
fn check(operation: &str, body: &str, expected: &str) {
    assert_eq!(verdict(operation, body), expected, "{operation} {body}");
}

#[track_caller]
fn invalid(operation: &str, body: &str, message: &str) {
    check(operation, body, &format!("ValidationException: {message}"));
}

/// Violations, without the words that all share.
#[track_caller]
fn violates(operation: &str, body: &str, violations: &[&str]) {
    let plural = if violations.len() == 1 { "" } else { "s" };
    let list: Vec<String> = violations
        .iter()
        .map(|violation| {
            let (member, constraint) = violation.split_once(": ").unwrap();
            format!("Value {member} failed to satisfy constraint: {constraint}")
        })
        .collect();
    invalid(operation, body, &format!("{} validation error{plural} detected: {}", list.len(), list.join("; ")));
}

const NULL: &str = "Member must not be null";
const NAME: &str = "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+";

#[test]
fn a_body_that_is_not_json_is_told_without_a_message() {
    let whole = r#"{"TableName": "abc", "Item": {"a": {"S": "\u00e9"}, "b": {"L": [{"N": "1.5e3"}, {"BOOL": true}]}}}"#;
    check("PutItem", whole, "ok");
    for end in 0..whole.len() {
        check("PutItem", &whole[..end], "SerializationException");
    }
    for body in [
        "7",
        "[]",
        "\"x\"",
        "null",
        "{} {}",
        "{\"TableName\": 3",
        r#"{"TableName": "a", "TableName": "b"}"#,
        r#"{"TableName": "abc", "Item": {"a": {"S": "x"}, "a": {"S": "y"}}}"#,
        r#"{"TableName": "abc", "Item": {"a": {"M": {"x": {"S": "x"}, "x": {"S": "y"}}}}}"#,
        r#"{"TableName": "abc", "Item": {"a": {"S": "\ud800"}}}"#,
        "\u{feff}{}",
    ] {
        check("PutItem", body, "SerializationException");
    }
    let mut broken = br#"{"TableName": "abc", "Item": {"a": {"S": "?"}}}"#.to_vec();
    let at = broken.iter().position(|byte| *byte == b'?').unwrap();
    broken[at] = 0xff;
    assert_eq!(parse("PutItem", Service::DynamoDb, &broken).unwrap_err().exception(), "SerializationException");
}

/// The sentences of each type, as `(value, sentence)`.
fn mismatches(kind: &str) -> Vec<(&'static str, String)> {
    let structure = "Start of structure or map found where not expected";
    let scalars = |wanted: &str| {
        vec![
            ("[]", format!("Unrecognized collection type class java.lang.{wanted}")),
            ("{}", structure.to_owned()),
            ("[1]", format!("Unrecognized collection type class java.lang.{wanted}")),
        ]
    };
    let cannot = |found: &str, wanted: &str| format!("{found} cannot be converted to {wanted}");
    let numbers = |wanted: &str| {
        vec![
            ("23", cannot("NUMBER_VALUE", wanted)),
            ("-2147483648", cannot("NUMBER_VALUE", wanted)),
            ("34.56", cannot("DECIMAL_VALUE", wanted)),
        ]
    };
    let flags = |wanted: &str| vec![("true", cannot("TRUE_VALUE", wanted)), ("false", cannot("FALSE_VALUE", wanted))];
    match kind {
        "String" => [scalars(kind), numbers(kind), flags(kind)].concat(),
        "Boolean" => {
            let text = vec![("\"maybe\"", "Unexpected token received from parser".to_owned())];
            [scalars(kind), numbers(kind), text].concat()
        }
        "Integer" | "Long" => [scalars(kind), flags(kind), vec![("\"23\"", cannot("STRING_VALUE", kind))]].concat(),
        "Blob" => {
            let only = || "only base-64-encoded strings are convertible to bytes".to_owned();
            vec![
                ("true", only()),
                ("23", only()),
                ("34.56", only()),
                ("[]", "Unrecognized collection type class java.nio.ByteBuffer".to_owned()),
                ("{}", structure.to_owned()),
                ("\"23456\"", "Base64 encoded length is expected a multiple of 4 bytes but found: 5".to_owned()),
                ("\"=+/=\"", "Invalid last non-pad Base64 character dectected".to_owned()),
                ("\"+/+=\"", "Invalid last non-pad Base64 character dectected".to_owned()),
            ]
        }
        "List" => {
            let field = || "Unexpected field type".to_owned();
            vec![("\"23\"", field()), ("true", field()), ("23", field()), ("{}", structure.to_owned())]
        }
        _ => {
            let (shape, class) = kind.split_once(' ').unwrap();
            let package = if class.contains('.') { "" } else { "com.amazonaws.dynamodb.v20120810." };
            let (scalar, list) = match shape {
                "Map" => ("Unexpected field type", format!("java.util.Map<java.lang.String, {package}{class}>")),
                "Field" => ("Unexpected field type", format!("class {package}{class}")),
                "Value" => ("Unexpected value type in payload", format!("class {package}{class}")),
                _ => panic!("{kind}"),
            };
            ["\"23\"", "true", "23", "34.56"]
                .map(|value| (value, scalar.to_owned()))
                .into_iter()
                .chain([("[]", format!("Unrecognized collection type {list}"))])
                .collect()
        }
    }
}

/// Puts each wrong value at the place of the `?`.
fn check_type(operation: &str, template: &str, kind: &str) {
    for (value, message) in mismatches(kind) {
        check(operation, &template.replace('?', value), &format!("SerializationException: {message}"));
    }
}

#[test]
fn each_member_has_its_type() {
    for (operation, template, kind) in [
        ("PutItem", r#"{"TableName": ?}"#, "String"),
        ("PutItem", r#"{"Item": ?}"#, "Map AttributeValue"),
        ("PutItem", r#"{"Expected": ?}"#, "Map ExpectedAttributeValue"),
        ("PutItem", r#"{"Expected": {"a": ?}}"#, "Value ExpectedAttributeValue"),
        ("PutItem", r#"{"Expected": {"a": {"Exists": ?}}}"#, "Boolean"),
        ("PutItem", r#"{"Expected": {"a": {"Value": ?}}}"#, "Field AttributeValue"),
        ("PutItem", r#"{"ExpressionAttributeNames": ?}"#, "Map java.lang.String"),
        ("PutItem", r##"{"ExpressionAttributeNames": {"#a": ?}}"##, "String"),
        ("GetItem", r#"{"AttributesToGet": ?}"#, "List"),
        ("GetItem", r#"{"AttributesToGet": [?]}"#, "String"),
        ("GetItem", r#"{"ConsistentRead": ?}"#, "Boolean"),
        ("Query", r#"{"Limit": ?}"#, "Integer"),
        ("Query", r#"{"KeyConditions": ?}"#, "Map Condition"),
        ("Query", r#"{"KeyConditions": {"a": ?}}"#, "Value Condition"),
        ("Query", r#"{"KeyConditions": {"a": {"AttributeValueList": [?]}}}"#, "Value AttributeValue"),
        ("BatchGetItem", r#"{"RequestItems": ?}"#, "Map KeysAndAttributes"),
        ("BatchGetItem", r#"{"RequestItems": {"a": ?}}"#, "Value KeysAndAttributes"),
        ("BatchGetItem", r#"{"RequestItems": {"a": {"Keys": ?}}}"#, "List"),
        (
            "BatchWriteItem",
            r#"{"RequestItems": ?}"#,
            "Map java.util.List<com.amazonaws.dynamodb.v20120810.WriteRequest>",
        ),
        ("BatchWriteItem", r#"{"RequestItems": {"a": [?]}}"#, "Value WriteRequest"),
        ("BatchWriteItem", r#"{"RequestItems": {"a": [{"PutRequest": ?}]}}"#, "Field PutRequest"),
        ("TransactWriteItems", r#"{"TransactItems": [?]}"#, "Value TransactWriteItem"),
        ("TransactWriteItems", r#"{"TransactItems": [{"Put": ?}]}"#, "Field Put"),
        ("CreateTable", r#"{"ProvisionedThroughput": ?}"#, "Field ProvisionedThroughput"),
        ("CreateTable", r#"{"ProvisionedThroughput": {"ReadCapacityUnits": ?}}"#, "Long"),
        ("CreateTable", r#"{"KeySchema": [?]}"#, "Value KeySchemaElement"),
        ("CreateTable", r#"{"LocalSecondaryIndexes": [{"Projection": ?}]}"#, "Field Projection"),
        (
            "UpdateTable",
            r#"{"GlobalSecondaryIndexUpdates": [{"Create": ?}]}"#,
            "Field CreateGlobalSecondaryIndexAction",
        ),
        ("UpdateTimeToLive", r#"{"TimeToLiveSpecification": {"Enabled": ?}}"#, "Boolean"),
    ] {
        check_type(operation, template, kind);
    }
    let parameterized = "SerializationException: class sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl \
                         cannot be cast to class java.lang.Class (sun.reflect.generics.reflectiveObjects.\
                         ParameterizedTypeImpl and java.lang.Class are in module java.base of loader 'bootstrap')";
    check("BatchGetItem", r#"{"RequestItems": {"a": {"Keys": [23]}}}"#, parameterized);
    check("BatchWriteItem", r#"{"RequestItems": {"a": 23}}"#, parameterized);
}

#[test]
fn each_kind_of_attribute_value_has_its_type() {
    for place in [r#"{"Item": {"a": ?}}"#, r#"{"Item": {"x": {"L": [?]}}}"#, r#"{"Item": {"x": {"M": {"b": ?}}}}"#] {
        let value = |inner: &str| place.replace('?', inner);
        check_type("PutItem", place, "Value AttributeValue");
        check_type("PutItem", &value(r#"{"S": ?}"#), "String");
        check_type("PutItem", &value(r#"{"N": ?}"#), "String");
        check_type("PutItem", &value(r#"{"B": ?}"#), "Blob");
        check_type("PutItem", &value(r#"{"BOOL": ?}"#), "Boolean");
        check_type("PutItem", &value(r#"{"NULL": ?}"#), "Boolean");
        check_type("PutItem", &value(r#"{"SS": ?}"#), "List");
        check_type("PutItem", &value(r#"{"SS": [?]}"#), "String");
        check_type("PutItem", &value(r#"{"NS": [?]}"#), "String");
        check_type("PutItem", &value(r#"{"BS": [?]}"#), "Blob");
        check_type("PutItem", &value(r#"{"L": ?}"#), "List");
        check_type("PutItem", &value(r#"{"M": ?}"#), "Map AttributeValue");
    }
}

#[test]
fn booleans_may_be_text() {
    for text in ["true", "T", "yes", "Y", "1", "false", "f", "NO", "n", "0"] {
        check("GetItem", &format!(r#"{{"TableName": "abc", "Key": {{}}, "ConsistentRead": "{text}"}}"#), "ok");
    }
}

#[test]
fn malformed_json_is_told_before_a_wrong_type() {
    check("PutItem", r#"{"TableName": 23, "Item": {"#, "SerializationException");
    check(
        "PutItem",
        r#"{"TableName": 23, "Item": {}}"#,
        "SerializationException: NUMBER_VALUE cannot be converted to String",
    );
}

#[test]
fn a_wrong_type_is_told_before_constraints_and_those_before_values() {
    let body = r#"{"TableName": "", "Item": {"a": {}, "b": {"N": 3}}}"#;
    check("PutItem", body, "SerializationException: NUMBER_VALUE cannot be converted to String");
    violates(
        "PutItem",
        r#"{"TableName": "", "Item": {"a": {}}}"#,
        &["'' at 'tableName': Member must have length greater than or equal to 1"],
    );
}

#[test]
fn unknown_members_and_nulls_are_ignored() {
    check("GetItem", r#"{"TableName": "abc", "Key": {"a": {"S": "x"}}, "Whatever": {"deep": [1, {}]}}"#, "ok");
    check("GetItem", r#"{"TableName": "abc", "Key": {"a": {"S": "x", "N": null}}, "ConsistentRead": null}"#, "ok");
    violates("GetItem", r#"{"TableName": null, "Key": {}}"#, &[&format!("null at 'tableName': {NULL}")]);
}

#[test]
fn put_item_tells_all_violations_in_order() {
    violates("PutItem", "{}", &[&format!("null at 'tableName': {NULL}"), &format!("null at 'item': {NULL}")]);
    violates(
        "PutItem",
        r#"{"TableName": "abc;", "ReturnConsumedCapacity": "hi", "ReturnItemCollectionMetrics": "hi", "ReturnValues": "hi"}"#,
        &[
            "'hi' at 'returnConsumedCapacity': Member must satisfy enum value set: [INDEXES, TOTAL, NONE]",
            &format!("'abc;' at 'tableName': {NAME}"),
            &format!("null at 'item': {NULL}"),
            "'hi' at 'returnValues': Member must satisfy enum value set: [ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]",
            "'hi' at 'returnItemCollectionMetrics': Member must satisfy enum value set: [SIZE, NONE]",
        ],
    );
}

#[test]
fn table_names_of_items() {
    let put = |name: &str| format!(r#"{{"TableName": "{name}", "Item": {{}}}}"#);
    let long = "a".repeat(256);
    violates("PutItem", &put(""), &["'' at 'tableName': Member must have length greater than or equal to 1"]);
    violates(
        "PutItem",
        &put(&long),
        &[&format!("'{long}' at 'tableName': Member must have length less than or equal to 255")],
    );
    violates("PutItem", &put("bad table!@#"), &[&format!("'bad table!@#' at 'tableName': {NAME}")]);
    check("PutItem", &put("arn:aws:dynamodb:us-east-1:000000000000:table/abc"), "ok");
}

#[test]
fn table_names_of_tables() {
    let create = |name: &str| {
        format!(
            r#"{{{name} "AttributeDefinitions": [{{"AttributeName": "pk", "AttributeType": "S"}}], "KeySchema": [{{"AttributeName": "pk", "KeyType": "HASH"}}]}}"#
        )
    };
    let absent = "The parameter 'TableName' is required but was not present in the request";
    invalid("CreateTable", &create(""), absent);
    violates(
        "CreateTable",
        &create(r#""TableName": "ab","#),
        &["'ab' at 'tableName': Member must have length greater than or equal to 3"],
    );
    check("CreateTable", &create(r#""TableName": "abc","#), "ok");
    let length = "TableName must be at least 3 characters long and at most 255 characters long";
    for operation in ["DescribeTable", "DeleteTable", "UpdateTable", "DescribeTimeToLive", "DescribeContinuousBackups"]
    {
        invalid(operation, "{}", absent);
        invalid(operation, r#"{"TableName": ""}"#, length);
        invalid(operation, r#"{"TableName": "a;"}"#, length);
        violates(operation, r#"{"TableName": "abc;"}"#, &[&format!("'abc;' at 'tableName': {NAME}")]);
        check(operation, r#"{"TableName": "arn:aws:dynamodb:us-east-1:000000000000:table/abc"}"#, "ok");
    }
}

#[test]
fn scan_tells_ten_violations_at_most() {
    let body = r#"{"TableName": "abc;", "ReturnConsumedCapacity": "hi", "AttributesToGet": [], "IndexName": "abc;",
        "Segment": -1, "TotalSegments": -1, "Select": "hi", "Limit": -1,
        "ScanFilter": {"a": {}, "b": {"ComparisonOperator": ""}}, "ConditionalOperator": "AN",
        "ExpressionAttributeNames": {}, "ExpressionAttributeValues": {}, "ProjectionExpression": ""}"#;
    violates(
        "Scan",
        body,
        &[
            "'hi' at 'select': Member must satisfy enum value set: [SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES]",
            &format!("'abc;' at 'indexName': {NAME}"),
            "'-1' at 'totalSegments': Member must have value greater than or equal to 1",
            "'hi' at 'returnConsumedCapacity': Member must satisfy enum value set: [INDEXES, TOTAL, NONE]",
            &format!("'abc;' at 'tableName': {NAME}"),
            "'AN' at 'conditionalOperator': Member must satisfy enum value set: [OR, AND]",
            &format!("null at 'scanFilter.a.member.comparisonOperator': {NULL}"),
            "'' at 'scanFilter.b.member.comparisonOperator': Member must satisfy enum value set: [IN, NULL, BETWEEN, LT, NOT_CONTAINS, EQ, GT, NOT_NULL, NE, LE, BEGINS_WITH, GE, CONTAINS]",
            "'-1' at 'segment': Member must have value greater than or equal to 0",
            "'-1' at 'limit': Member must have value greater than or equal to 1",
        ],
    );
}

#[test]
fn a_bad_limit_is_worded_differently_by_query_and_scan() {
    let limit = "failed to satisfy constraint: Member must have value greater than or equal to 1";
    let body = r#"{"TableName": "abc", "Limit": 0}"#;
    invalid("Query", body, &format!("1 validation error detected: Value at 'Limit' {limit}"));
    invalid("Scan", body, &format!("1 validation error detected: Value '0' at 'limit' {limit}"));
}

#[test]
fn batches() {
    invalid("BatchGetItem", r#"{"RequestItems": {}}"#, "The requestItems parameter is required for BatchGetItem");
    invalid("BatchWriteItem", r#"{"RequestItems": {}}"#, "The requestItems parameter is required for BatchWriteItem");
    violates("BatchGetItem", "{}", &[&format!("null at 'requestItems': {NULL}")]);
    let keys = |count: usize| vec![r#"{"a": {"S": "x"}}"#; count].join(", ");
    invalid(
        "BatchGetItem",
        &format!(r#"{{"RequestItems": {{"abc": {{"Keys": [{}]}}}}}}"#, keys(101)),
        "1 validation error detected: Value at 'RequestItems.abc.member.Keys' failed to satisfy constraint: Member must have length less than or equal to 100",
    );
    invalid(
        "BatchGetItem",
        &format!(r#"{{"RequestItems": {{"abc": {{"Keys": [{}]}}, "abd": {{"Keys": [{}]}}}}}}"#, keys(100), keys(1)),
        "Too many items requested for the BatchGetItem call",
    );
    violates(
        "BatchGetItem",
        r#"{"RequestItems": {"abc": {"Keys": []}, "abd": {}}}"#,
        &[
            "'[]' at 'requestItems.abc.member.keys': Member must have length greater than or equal to 1",
            &format!("null at 'requestItems.abd.member.keys': {NULL}"),
        ],
    );
    let names = "Map keys must satisfy constraint: [Member must have length less than or equal to 255, Member must have length greater than or equal to 3, Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+]";
    let lists = "Map value must satisfy constraint: [Member must have length less than or equal to 25, Member must have length greater than or equal to 1]";
    violates(
        "BatchWriteItem",
        r#"{"RequestItems": {"a": []}}"#,
        &[&format!("'{{a=[]}}' at 'requestItems': {names}"), &format!("'{{a=[]}}' at 'requestItems': {lists}")],
    );
    let writes = vec![r#"{"DeleteRequest": {"Key": {"a": {"S": "x"}}}}"#; 26].join(", ");
    let said = verdict("BatchWriteItem", &format!(r#"{{"RequestItems": {{"abc": [{writes}]}}}}"#));
    assert!(said.starts_with("ValidationException: 1 validation error detected: Value '{abc=[WriteRequest("), "{said}");
    assert!(said.ends_with(&format!(")]}}' at 'requestItems' failed to satisfy constraint: {lists}")), "{said}");
    let several =
        "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes";
    invalid("BatchWriteItem", r#"{"RequestItems": {"abc": [{}]}}"#, several);
    let both = r#"{"RequestItems": {"abc": [{"PutRequest": {"Item": {}}, "DeleteRequest": {"Key": {}}}]}}"#;
    invalid("BatchWriteItem", both, several);
    violates(
        "BatchWriteItem",
        r#"{"RequestItems": {"abc": [{"PutRequest": {}, "DeleteRequest": {}}]}, "ReturnConsumedCapacity": "hi"}"#,
        &[
            "'hi' at 'returnConsumedCapacity': Member must satisfy enum value set: [INDEXES, TOTAL, NONE]",
            &format!("null at 'requestItems.abc.member.1.member.deleteRequest.key': {NULL}"),
            &format!("null at 'requestItems.abc.member.1.member.putRequest.item': {NULL}"),
        ],
    );
}

#[test]
fn transactions() {
    let shortest = "'[]' at 'transactItems': Member must have length greater than or equal to 1";
    for operation in ["TransactGetItems", "TransactWriteItems"] {
        violates(operation, r#"{"TransactItems": []}"#, &[shortest]);
        violates(operation, "{}", &[&format!("null at 'transactItems': {NULL}")]);
    }
    let puts = |count: usize| vec![r#"{"Put": {"TableName": "abc", "Item": {"a": {"S": "x"}}}}"#; count].join(", ");
    check("TransactWriteItems", &format!(r#"{{"TransactItems": [{}]}}"#, puts(100)), "ok");
    let said = verdict("TransactWriteItems", &format!(r#"{{"TransactItems": [{}]}}"#, puts(101)));
    assert!(said.starts_with("ValidationException: 1 validation error detected: Value '[TransactWriteItem("), "{said}");
    assert!(said.ends_with(
        ")]' at 'transactItems' failed to satisfy constraint: Member must have length less than or equal to 100"
    ));
    violates(
        "TransactWriteItems",
        r#"{"TransactItems": [{"Put": {"TableName": "abc", "Item": {}}}, {"Update": {"UpdateExpression": "SET a = b"}}]}"#,
        &[
            &format!("null at 'transactItems.2.member.update.key': {NULL}"),
            &format!("null at 'transactItems.2.member.update.tableName': {NULL}"),
        ],
    );
    let none = "Invalid Request: TransactWriteRequest should contain Delete or Put or Update request";
    invalid("TransactWriteItems", r#"{"TransactItems": [{}]}"#, none);
    invalid("TransactWriteItems", r#"{"TransactItems": [{"NotAnAction": {}}]}"#, none);
    invalid(
        "TransactWriteItems",
        r#"{"TransactItems": [{"Put": {"TableName": "abc", "Item": {}}, "Delete": {"TableName": "abc", "Key": {}}}]}"#,
        "TransactItems can only contain one of Check, Put, Update or Delete",
    );
    violates(
        "TransactGetItems",
        r#"{"TransactItems": [{}]}"#,
        &[&format!("null at 'transactItems.1.member.get': {NULL}")],
    );
    let token = "x".repeat(37);
    violates(
        "TransactWriteItems",
        &format!(r#"{{"ClientRequestToken": "{token}", "TransactItems": [{}]}}"#, puts(1)),
        &[&format!("'{token}' at 'clientRequestToken': Member must have length less than or equal to 36")],
    );
}

#[test]
fn tables() {
    let create = |rest: &str| {
        format!(
            r#"{{"TableName": "abc", "AttributeDefinitions": [{{"AttributeName": "pk", "AttributeType": "S"}}], {rest}}}"#
        )
    };
    violates(
        "CreateTable",
        r#"{"TableName": "abc;"}"#,
        &[
            &format!("null at 'attributeDefinitions': {NULL}"),
            &format!("'abc;' at 'tableName': {NAME}"),
            &format!("null at 'keySchema': {NULL}"),
        ],
    );
    violates(
        "CreateTable",
        &create(r#""KeySchema": [], "ProvisionedThroughput": {"ReadCapacityUnits": -1, "WriteCapacityUnits": -1}"#),
        &[
            "'-1' at 'provisionedThroughput.writeCapacityUnits': Member must have value greater than or equal to 1",
            "'-1' at 'provisionedThroughput.readCapacityUnits': Member must have value greater than or equal to 1",
            "'[]' at 'keySchema': Member must have length greater than or equal to 1",
        ],
    );
    violates(
        "CreateTable",
        &create(
            r#""KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}, {"AttributeName": "extra", "KeyType": "RANGE"}]"#,
        ),
        &[
            "'[KeySchemaElement(attributeName=pk, keyType=HASH), KeySchemaElement(attributeName=sk, keyType=RANGE), KeySchemaElement(attributeName=extra, keyType=RANGE)]' at 'keySchema': Member must have length less than or equal to 2",
        ],
    );
    violates(
        "CreateTable",
        r#"{"TableName": "abc", "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "INVALID"}, {}], "KeySchema": [{"AttributeName": "pk", "KeyType": "INVALID"}], "BillingMode": "X"}"#,
        &[
            "'INVALID' at 'attributeDefinitions.1.member.attributeType': Member must satisfy enum value set: [B, N, S]",
            &format!("null at 'attributeDefinitions.2.member.attributeName': {NULL}"),
            &format!("null at 'attributeDefinitions.2.member.attributeType': {NULL}"),
            "'X' at 'billingMode': Member must satisfy enum value set: [PROVISIONED, PAY_PER_REQUEST]",
            "'INVALID' at 'keySchema.1.member.keyType': Member must satisfy enum value set: [HASH, RANGE]",
        ],
    );
    invalid(
        "UpdateTable",
        r#"{"TableName": "abc", "GlobalSecondaryIndexUpdates": [{}]}"#,
        "One or more parameter values were invalid: One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, GlobalSecondaryIndexUpdate.Delete must not be null",
    );
    violates(
        "UpdateTable",
        r#"{"TableName": "abc", "GlobalSecondaryIndexUpdates": [{"Update": {}}]}"#,
        &[
            &format!("null at 'globalSecondaryIndexUpdates.1.member.update.indexName': {NULL}"),
            &format!("null at 'globalSecondaryIndexUpdates.1.member.update.provisionedThroughput': {NULL}"),
        ],
    );
    violates(
        "ListTables",
        r#"{"Limit": 101, "ExclusiveStartTableName": "a;"}"#,
        &[
            "'101' at 'limit': Member must have value less than or equal to 100",
            &format!("'a;' at 'exclusiveStartTableName': {NAME}"),
            "'a;' at 'exclusiveStartTableName': Member must have length greater than or equal to 3",
        ],
    );
    violates(
        "UpdateTimeToLive",
        r#"{"TableName": "abc", "TimeToLiveSpecification": {}}"#,
        &[
            &format!("null at 'timeToLiveSpecification.enabled': {NULL}"),
            &format!("null at 'timeToLiveSpecification.attributeName': {NULL}"),
        ],
    );
}

#[test]
fn tags() {
    let arn = "arn:aws:dynamodb:us-east-1:000000000000:table/abc";
    invalid("TagResource", "{}", "Invalid TableArn");
    check("TagResource", r#"{"ResourceArn": "I_do_not_exist", "Tags": []}"#, "ok");
    violates("TagResource", &format!(r#"{{"ResourceArn": "{arn}"}}"#), &[&format!("null at 'tags': {NULL}")]);
    let tag = |tags: &str| format!(r#"{{"ResourceArn": "{arn}", "Tags": {tags}}}"#);
    check("TagResource", &tag(r#"[{"Key": "a", "Value": ""}]"#), "ok");
    violates(
        "TagResource",
        &tag(r#"[{"Key": "", "Value": "x"}]"#),
        &["'' at 'tags.1.member.key': Member must have length greater than or equal to 1"],
    );
    let untag = format!(r#"{{"ResourceArn": "{arn}", "TagKeys": []}}"#);
    check("UntagResource", &untag, "ok");
    check("ListTagsOfResource", &format!(r#"{{"ResourceArn": "{arn}"}}"#), "ok");
}

#[test]
fn streams() {
    let arn = "arn:aws:dynamodb:us-east-1:000000000000:table/abc/stream/2026-01-01T00:00:00.000";
    violates(
        "GetShardIterator",
        &format!(
            r#"{{"StreamArn": "{arn}", "ShardId": "shardId-00000000000000000000-00000000", "ShardIteratorType": "X"}}"#
        ),
        &[
            "'X' at 'shardIteratorType': Member must satisfy enum value set: [TRIM_HORIZON, LATEST, AT_SEQUENCE_NUMBER, AFTER_SEQUENCE_NUMBER]",
        ],
    );
    violates("GetRecords", "{}", &[&format!("null at 'shardIterator': {NULL}")]);
    violates(
        "GetRecords",
        r#"{"ShardIterator": "x", "Limit": 1001}"#,
        &["'1001' at 'limit': Member must have value less than or equal to 1000"],
    );
    check("ListStreams", r#"{"TableName": "abc"}"#, "ok");
    check("DescribeStream", &format!(r#"{{"StreamArn": "{arn}"}}"#), "ok");
}

#[test]
fn attribute_values() {
    const ONE_OR_MORE: &str = "One or more parameter values were invalid: ";
    const EMPTY: &str = "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes";
    const SEVERAL: &str =
        "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes";
    const DIGITS: &str = "Attempting to store more than 38 significant digits in a Number";
    const NUMERIC: &str = "The parameter cannot be converted to a numeric value";
    let prefixed = |text: &str| format!("{ONE_OR_MORE}{text}");
    for (value, message) in [
        ("{}", EMPTY.to_owned()),
        ("null", EMPTY.to_owned()),
        (r#"{"a": ""}"#, EMPTY.to_owned()),
        (r#"{"M": {"a": {}}}"#, EMPTY.to_owned()),
        (r#"{"L": [{"a": {}}]}"#, EMPTY.to_owned()),
        (r#"{"S": "a", "N": "1"}"#, SEVERAL.to_owned()),
        (r#"{"NULL": false}"#, prefixed("Null attribute value types must have the value of true")),
        (r#"{"NULL": "no"}"#, prefixed("Null attribute value types must have the value of true")),
        (r#"{"SS": []}"#, prefixed("An string set  may not be empty")),
        (r#"{"NS": []}"#, prefixed("An number set  may not be empty")),
        (r#"{"BS": []}"#, prefixed("Binary sets should not be empty")),
        (r#"{"SS": ["a", "a"]}"#, prefixed("Input collection [a, a] contains duplicates.")),
        (r#"{"BS": ["Yg==", "Yg=="]}"#, prefixed("Input collection [Yg==, Yg==]of type BS contains duplicates.")),
        (r#"{"NS": ["1", "1.0"]}"#, "Input collection contains duplicates".to_owned()),
        (r#"{"NS": ["1", ""]}"#, NUMERIC.to_owned()),
        (r#"{"NS": ["1", "b", "a"]}"#, format!("{NUMERIC}: b")),
        (r#"{"S": "a", "N": ""}"#, NUMERIC.to_owned()),
        (r#"{"N": "b"}"#, format!("{NUMERIC}: b")),
        (r#"{"N": " 1"}"#, format!("{NUMERIC}:  1")),
        (r#"{"N": "123456789012345678901234567890123456789"}"#, DIGITS.to_owned()),
        (
            r#"{"N": "1e126"}"#,
            "Number overflow. Attempting to store a number with magnitude larger than supported range".to_owned(),
        ),
        (
            r#"{"N": "-1e-131"}"#,
            "Number underflow. Attempting to store a number with magnitude smaller than supported range".to_owned(),
        ),
    ] {
        for (operation, template) in [
            ("PutItem", r#"{"TableName": "abc", "Item": {"k": {"S": "x"}, "a": ?}}"#),
            ("PutItem", r#"{"TableName": "abc", "Item": {"a": {"M": {"b": {"L": [{"S": "x"}, ?]}}}}}"#),
            ("GetItem", r#"{"TableName": "abc", "Key": {"a": ?}}"#),
            (
                "Query",
                r#"{"TableName": "abc", "KeyConditions": {"a": {"ComparisonOperator": "EQ", "AttributeValueList": [{"L": [?]}]}}}"#,
            ),
            ("BatchGetItem", r#"{"RequestItems": {"abc": {"Keys": [{"a": ?}]}}}"#),
            ("BatchWriteItem", r#"{"RequestItems": {"abc": [{"PutRequest": {"Item": {"a": ?}}}]}}"#),
            ("TransactWriteItems", r#"{"TransactItems": [{"Put": {"TableName": "abc", "Item": {"a": ?}}}]}"#),
            ("ExecuteStatement", r#"{"Statement": "SELECT", "Parameters": [{"S": "x"}, {"L": [?]}]}"#),
        ] {
            invalid(operation, &template.replace('?', value), &message);
        }
        let template = r#"{"TableName": "abc", "Key": {}, "UpdateExpression": "SET a = :v", "ExpressionAttributeValues": {":v": ?}}"#;
        let message = format!("ExpressionAttributeValues contains invalid value: {message} for key :v");
        invalid("UpdateItem", &template.replace('?', value), &message);
    }
    for value in [r#"{"S": ""}"#, r#"{"B": ""}"#, r#"{"SS": [""]}"#, r#"{"BS": [""]}"#, r#"{"L": []}"#, r#"{"M": {}}"#]
    {
        check("PutItem", &format!(r#"{{"TableName": "abc", "Item": {{"a": {value}}}}}"#), "ok");
    }
}

#[test]
fn a_fault_in_the_item_is_told_before_one_in_expression_values() {
    invalid(
        "PutItem",
        r#"{"ConditionExpression": "a = :v", "ExpressionAttributeValues": {":v": {}}, "TableName": "abc", "Item": {"a": {"N": "x"}}}"#,
        "The parameter cannot be converted to a numeric value: x",
    );
}

#[test]
fn parameters_that_do_not_go_together_are_told_before_values() {
    invalid(
        "UpdateItem",
        r#"{"TableName": "abc", "Key": {"a": {}}, "Expected": {"a": {}}, "AttributeUpdates": {}, "ConditionExpression": "", "UpdateExpression": "", "ExpressionAttributeNames": {}, "ExpressionAttributeValues": {}}"#,
        "Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {AttributeUpdates, Expected} Expression parameters: {UpdateExpression, ConditionExpression}",
    );
    invalid(
        "UpdateItem",
        r#"{"TableName": "abc", "Key": {"a": {}}, "Expected": {"a": {}}, "ExpressionAttributeNames": {}, "ExpressionAttributeValues": {}}"#,
        "ExpressionAttributeNames can only be specified when using expressions",
    );
}

#[test]
fn nesting_has_a_limit() {
    let wrapped =
        |depth: usize| format!("{}{}{}", r#"{"M": {"a": "#.repeat(depth), r#"{"S": "x"}"#, "}}".repeat(depth));
    let listed = |depth: usize| format!("{}{}{}", r#"{"L": ["#.repeat(depth), r#"{"S": "x"}"#, "]}".repeat(depth));
    let put = |value: &str| format!(r#"{{"TableName": "abc", "Item": {{"a": {value}}}}}"#);
    let update = |value: &str| {
        format!(
            r#"{{"TableName": "abc", "Key": {{}}, "UpdateExpression": "SET a = :v", "ExpressionAttributeValues": {{":v": {value}}}}}"#
        )
    };
    let message = "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit";
    for wrap in [&wrapped as &dyn Fn(usize) -> String, &listed] {
        check("PutItem", &put(&wrap(31)), "ok");
        for depth in [32, 50, 300] {
            invalid("PutItem", &put(&wrap(depth)), message);
            invalid("UpdateItem", &update(&wrap(depth)), message);
        }
        check("PutItem", &put(&wrap(200_000)), "SerializationException");
    }
}

#[test]
fn operations_that_are_not_offered_say_so() {
    check("Nope", "{}", "UnknownOperationException");
    check(
        "CreateBackup",
        "{}",
        "UnknownOperationException: The operation CreateBackup is part of DynamoDB but is not offered by this server",
    );
    assert_eq!(parse("PutItem", Service::Streams, b"{}").unwrap_err().exception(), "UnknownOperationException");
    invalid(
        "CreateTable",
        r#"{"TableName": "abc", "VectorIndexes": []}"#,
        "One or more parameter values were invalid: VectorIndexes is part of DynamoDB but is not offered by this server",
    );
}
