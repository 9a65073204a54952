//! Credentials over the wire; `src/authorization.rs` has every rule.

use crate::fake::start;
use crate::socket::{ask, sdk, sdk_headers, with_headers};

#[test]
fn missing_credentials_are_told() {
    let server = start();
    let headers = "Host: localhost\r\nX-Amz-Target: DynamoDB_20120810.ListTables\r\n";
    for authorization in ["", "Authorization: AWS4\r\n", "Authorization: Basic YTpi\r\n"] {
        let answer = ask(server.address, with_headers(&format!("{headers}{authorization}"), ""));
        assert_eq!(answer.status, 400);
        assert_eq!(
            answer.text(),
            r#"{"__type":"com.amazon.coral.service#MissingAuthenticationTokenException","message":"Request is missing Authentication Token"}"#
        );
        assert_eq!(answer.header("x-amz-crc32"), Some("2088342776"));
        assert_eq!(answer.header("content-type"), Some("application/json"));
    }
    assert_eq!(server.executed(), 0);
}

#[test]
fn incomplete_credentials_are_told() {
    let server = start();
    let headers = "Host: localhost\r\nX-Amz-Target: DynamoDB_20120810.ListTables\r\nAuthorization: AWS4-\r\n";
    let answer = ask(server.address, with_headers(headers, ""));
    assert_eq!((answer.status, answer.header("x-amz-crc32")), (400, Some("1828866742")), "{}", answer.text());
}

#[test]
fn an_old_date_is_told() {
    let server = start();
    let request = sdk("ListTables", "{}").replace("20130609T100015Z", "20130609T094000Z");
    let answer = ask(server.address, request);
    assert_eq!(answer.status, 400);
    assert!(answer.text().contains("#InvalidSignatureException"), "{}", answer.text());
    assert!(answer.text().contains("Signature expired: 20130609T094000Z"), "{}", answer.text());
}

#[test]
fn broken_json_is_complained_about_before_missing_credentials() {
    let server = start();
    let headers = "Host: localhost\r\nX-Amz-Target: DynamoDB_20120810.ListTables\r\nContent-Type: application/json\r\n";
    let answer = ask(server.address, with_headers(headers, "{"));
    assert!(answer.text().contains("SerializationException"), "{}", answer.text());
}

#[test]
fn presigned_requests_are_answered() {
    let server = start();
    let query = "/?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=a%2F20130609%2Fr%2Fdynamodb%2Faws4_request\
                 &X-Amz-Date=20130609T100015Z&X-Amz-SignedHeaders=host&X-Amz-Signature=0";
    let unsigned = "Host: localhost\r\nX-Amz-Target: DynamoDB_20120810.ListTables\r\n\
                    Content-Type: application/x-amz-json-1.0\r\n";
    let presigned = |headers: &str| with_headers(headers, "{}").replacen("POST /", &format!("POST {query}"), 1);
    assert_eq!(ask(server.address, presigned(unsigned)).status, 200);
    let twice = ask(server.address, presigned(&sdk_headers("ListTables")));
    assert!(twice.text().contains("Found both 'X-Amz-Algorithm'"), "{}", twice.text());
}
