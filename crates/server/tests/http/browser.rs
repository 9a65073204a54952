//! Browsers and foreign names are refused.

use crate::fake::{start, start_with};
use crate::socket::{ask, sdk, sdk_headers, with_headers};

#[test]
fn a_foreign_host_is_refused() {
    let server = start();
    for host in ["evil.example", "localhost.evil.example:8000", "10.1.2.3"] {
        let answer = ask(server.address, sdk("ListTables", "{}").replace("localhost:8000", host));
        assert_eq!(answer.status, 403);
        assert!(answer.text().contains("--allow-host"), "{}", answer.text());
    }
    assert_eq!(server.executed(), 0);
    let open = start_with(|options| options.allowed_hosts = vec!["db.example".to_owned()]);
    assert_eq!(ask(open.address, sdk("ListTables", "{}").replace("localhost:8000", "db.example")).status, 200);
}

#[test]
fn http_1_1_needs_exactly_one_host() {
    let server = start();
    let none = sdk("ListTables", "{}").replace("Host: localhost:8000\r\n", "");
    assert_eq!(ask(server.address, none).status, 400);
    let two = sdk("ListTables", "{}").replace("Host:", "Host: localhost\r\nHost:");
    assert_eq!(ask(server.address, two).status, 400);
    assert_eq!(server.executed(), 0);
}

#[test]
fn an_origin_is_refused_unless_it_is_allowed() {
    let server = start();
    let headers = |origin: &str| format!("{}Origin: {origin}\r\n", sdk_headers("ListTables"));
    let answer = ask(server.address, with_headers(&headers("https://evil.example"), "{}"));
    assert_eq!(answer.status, 403);
    assert_eq!(answer.header("access-control-allow-origin"), None);
    let preflight = with_headers(&headers("https://evil.example"), "").replace("POST", "OPTIONS");
    assert_eq!(ask(server.address, preflight).status, 403);
    assert_eq!(server.executed(), 0);

    let open = start_with(|options| options.allowed_origins = vec!["http://localhost:3000".to_owned()]);
    let answer = ask(open.address, with_headers(&headers("http://localhost:3000"), "{}"));
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("access-control-allow-origin"), Some("http://localhost:3000"));
    assert_eq!(ask(open.address, with_headers(&headers("https://evil.example"), "{}")).status, 403);
}

#[test]
fn a_preflight_is_answered_as_amazon_does_when_allowed() {
    let server = start_with(|options| options.allowed_origins = vec!["*".to_owned()]);
    let answer = ask(
        server.address,
        "OPTIONS / HTTP/1.1\r\nHost: localhost\r\nOrigin: whatever\r\nAccess-Control-Request-Headers: a, b\r\n\
         Access-Control-Request-Method: POST\r\n\r\n",
    );
    assert_eq!((answer.status, answer.text().as_str()), (200, ""));
    for (name, value) in [
        ("access-control-allow-origin", "*"),
        ("access-control-allow-headers", "a, b"),
        ("access-control-allow-methods", "POST"),
        ("access-control-max-age", "172800"),
        ("content-length", "0"),
    ] {
        assert_eq!(answer.header(name), Some(value));
    }
}
