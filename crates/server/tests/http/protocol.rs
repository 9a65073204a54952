//! The shape of requests and answers.

use crate::fake::start;
use crate::socket::{Answer, Socket, ask, sdk, sdk_headers, with_headers};

const SERIALIZATION: &str = r#"{"__type":"com.amazon.coral.service#SerializationException"}"#;
const UNKNOWN: &str = r#"{"__type":"com.amazon.coral.service#UnknownOperationException"}"#;

fn assert_framed(answer: &Answer) {
    let id = answer.header("x-amzn-requestid").expect("a request id");
    assert!(id.len() == 52 && id.bytes().all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit()), "{id}");
    assert_eq!(answer.header("x-amz-crc32"), Some(crc32fast::hash(&answer.body).to_string().as_str()));
}

#[test]
fn an_operation_is_answered() {
    let server = start();
    let answer = ask(server.address, sdk("ListTables", "{}"));
    assert_eq!((answer.status, answer.text().as_str()), (200, r#"{"TableNames":[]}"#));
    assert_eq!(answer.header("content-type"), Some("application/x-amz-json-1.0"));
    assert!(answer.header("date").is_some());
    assert_framed(&answer);
}

#[test]
fn the_answer_has_the_content_type_of_the_request() {
    let server = start();
    for kind in ["application/json", "application/x-amz-json-1.0"] {
        for written in [kind.to_owned(), format!("{kind}; charset=utf-8"), kind.to_uppercase()] {
            let headers = sdk_headers("ListTables").replace("application/x-amz-json-1.0", &written);
            let answer = ask(server.address, with_headers(&headers, "{}"));
            assert_eq!((answer.status, answer.header("content-type")), (200, Some(kind)));
        }
    }
}

#[test]
fn another_content_type_is_not_found() {
    let server = start();
    for kind in ["Content-Type: text/plain\r\n", "Content-Type: application/x-amz-json-1.1\r\n", ""] {
        let headers = sdk_headers("ListTables").replace("Content-Type: application/x-amz-json-1.0\r\n", kind);
        let answer = ask(server.address, with_headers(&headers, "{}"));
        assert_eq!((answer.status, answer.text().as_str()), (404, "<UnknownOperationException/>\n"));
        assert_eq!(answer.header("x-amz-crc32"), Some("3552371480"));
        assert_framed(&answer);
    }
}

#[test]
fn other_methods_and_paths_are_not_found() {
    let server = start();
    for line in ["PUT /", "DELETE /", "OPTIONS /", "PATCH /", "GET /nowhere", "POST /nowhere"] {
        let request = format!("{line} HTTP/1.1\r\n{}Content-Length: 0\r\n\r\n", sdk_headers("ListTables"));
        let answer = ask(server.address, request);
        assert_eq!((answer.status, answer.text().as_str()), (404, "<UnknownOperationException/>\n"), "{line}");
    }
    assert_eq!(server.executed(), 0);
}

#[test]
fn health_is_told() {
    let server = start();
    let answer = ask(server.address, "GET / HTTP/1.1\r\nHost: localhost:8000\r\n\r\n");
    assert_eq!((answer.status, answer.text().as_str()), (200, "healthy: localhost:8000 "));
    assert!(answer.header("x-amz-crc32").is_some());
    let answer = ask(server.address, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assert_eq!((answer.status, answer.text().as_str()), (200, r#"{"status":"ok"}"#));
}

#[test]
fn broken_json_is_complained_about_first() {
    let server = start();
    for kind in ["application/json", "application/x-amz-json-1.0"] {
        let answer = ask(server.address, with_headers(&format!("Host: localhost\r\nContent-Type: {kind}\r\n"), "hi"));
        assert_eq!((answer.status, answer.text().as_str()), (400, SERIALIZATION));
        assert_eq!(answer.header("x-amz-crc32"), Some("3948637019"));
        assert_eq!(answer.header("content-type"), Some(kind));
    }
}

#[test]
fn an_unknown_target_is_complained_about_before_missing_credentials() {
    let server = start();
    let targets = [
        "",
        "whatever",
        "DynamoDB_20120810.ListTable",
        "DynamoDB_20111205.ListTables",
        "DynamoDB_20120810.",
        "DynamoDB_20120810.GetRecords",
        "DynamoDBStreams_20120810.GetItem",
        "DynamoDB_20120810.ListTables.ListTables",
    ];
    for target in targets {
        let headers = format!("Host: localhost\r\nContent-Type: application/json\r\nX-Amz-Target: {target}\r\n");
        let answer = ask(server.address, with_headers(&headers, "{}"));
        assert_eq!((answer.status, answer.text().as_str()), (400, UNKNOWN), "{target}");
        assert_eq!(answer.header("x-amz-crc32"), Some("1368724161"));
    }
}

#[test]
fn an_empty_body_is_no_request() {
    let server = start();
    let answer = ask(server.address, sdk("ListTables", ""));
    assert_eq!((answer.status, answer.text().as_str()), (400, SERIALIZATION));
}

#[test]
fn every_strict_prefix_of_a_request_is_refused() {
    let server = start();
    let mut socket = Socket::open(server.address);
    let whole = r#"{"TableName": "ab\u00e9", "Key": {"p": {"S": "x"}}}"#;
    for end in 0..whole.len() {
        socket.send(sdk("GetItem", &whole[..end]));
        let answer = socket.answer().expect("an answer");
        assert_eq!((answer.status, answer.text().as_str()), (400, SERIALIZATION), "{}", &whole[..end]);
    }
    assert_eq!(server.executed(), 0);
}

#[test]
fn connections_are_kept() {
    let server = start();
    let mut socket = Socket::open(server.address);
    for _ in 0..3 {
        socket.send(sdk("ListTables", "{}"));
        assert_eq!(socket.answer().expect("an answer").status, 200);
    }
}

#[test]
fn pipelined_requests_are_answered_in_order() {
    let server = start();
    let mut socket = Socket::open(server.address);
    socket.send([sdk("ListTables", r#"{"Limit":1}"#), sdk("ListTables", "{}"), sdk("Nope", "{}")].concat());
    let answers: Vec<_> = (0..3).map(|_| socket.answer().expect("an answer")).collect();
    assert!(answers[0].text().contains("table-0"));
    assert_eq!(answers[1].text(), r#"{"TableNames":[]}"#);
    assert_eq!(answers[2].status, 400);
}

#[test]
fn a_panic_is_our_fault_and_the_server_lives() {
    let server = start();
    let mut socket = Socket::open(server.address);
    socket.send(sdk("DescribeTable", r#"{"TableName":"panic"}"#));
    let answer = socket.answer().expect("an answer");
    assert_eq!(answer.status, 500);
    assert!(answer.text().contains("InternalServerError"), "{}", answer.text());
    assert!(!answer.text().contains("test asked"), "details stay in the log: {}", answer.text());
    socket.send(sdk("ListTables", "{}"));
    assert_eq!(socket.answer().expect("an answer").status, 200);
}

#[test]
fn expect_continue_is_honoured() {
    let server = start();
    let mut socket = Socket::open(server.address);
    socket.send(format!(
        "POST / HTTP/1.1\r\n{}Expect: 100-continue\r\nContent-Length: 2\r\n\r\n",
        sdk_headers("ListTables")
    ));
    assert_eq!(socket.answer().expect("an answer").status, 100);
    socket.send("{}");
    assert_eq!(socket.answer().expect("an answer").status, 200);
}
