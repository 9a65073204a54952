//! Sizes, times and counts that are bounded.

use std::io::Write;
use std::time::{Duration, Instant};

use crate::fake::{start, start_with};
use crate::socket::{Socket, ask, sdk, sdk_headers, with_headers};

const MAX_BODY: usize = 16 << 20;

fn padded(size: usize) -> String {
    format!("{{}}{}", " ".repeat(size - 2))
}

#[test]
fn a_body_of_16_mib_is_taken() {
    let server = start();
    assert_eq!(ask(server.address, sdk("ListTables", &padded(MAX_BODY))).status, 200);
}

#[test]
fn a_larger_body_is_refused_and_the_connection_closed() {
    let server = start();
    let mut socket = Socket::open(server.address);
    socket.send(sdk("ListTables", &padded(MAX_BODY + 1)));
    assert_eq!(socket.answer().expect("an answer").status, 413);
    assert!(socket.is_closed());
    assert_eq!(ask(server.address, sdk("ListTables", "{}")).status, 200);
}

#[test]
fn a_larger_chunked_body_is_refused() {
    let server = start();
    let mut socket = Socket::open(server.address);
    socket.send(format!("POST / HTTP/1.1\r\n{}Transfer-Encoding: chunked\r\n\r\n", sdk_headers("ListTables")));
    let chunk = format!("100000\r\n{}\r\n", " ".repeat(0x10_0000));
    for _ in 0..17 {
        socket.send(&chunk);
    }
    socket.send("0\r\n\r\n");
    assert_eq!(socket.answer().expect("an answer").status, 413);
    assert_eq!(server.executed(), 0);
}

#[test]
fn an_endless_body_ends_at_the_servers_patience() {
    let server = start();
    let mut socket = Socket::open(server.address);
    socket.send(format!("POST / HTTP/1.1\r\n{}Transfer-Encoding: chunked\r\n\r\n", sdk_headers("ListTables")));
    let chunk = format!("100000\r\n{}\r\n", " ".repeat(0x10_0000));
    let cut = (0..200).any(|_| socket.stream.write_all(chunk.as_bytes()).is_err());
    assert!(cut, "the server took 200 MiB");
    assert_eq!(ask(server.address, sdk("ListTables", "{}")).status, 200);
}

#[test]
fn a_chunked_body_is_put_together() {
    let server = start();
    let request = format!(
        "POST / HTTP/1.1\r\n{}Transfer-Encoding: chunked\r\n\r\n4\r\n{{\"Li\r\n7\r\nmit\":1}}\r\n0\r\nTrailer: x\r\n\r\n",
        sdk_headers("ListTables")
    );
    assert!(ask(server.address, request).text().contains("table-0"));
}

#[test]
fn a_large_head_is_a_bad_request() {
    let server = start();
    let headers = format!("{}X-Padding: {}\r\n", sdk_headers("ListTables"), "x".repeat(17 << 10));
    assert_eq!(ask(server.address, with_headers(&headers, "{}")).status, 400);
    let line = sdk("ListTables", "{}").replacen("POST /", &format!("POST /?{}", "x".repeat(17 << 10)), 1);
    assert_eq!(ask(server.address, line).status, 400);
    let huge = format!("{}X-Padding: {}\r\n", sdk_headers("ListTables"), "x".repeat(100 << 10));
    assert_eq!(ask(server.address, with_headers(&huge, "{}")).status, 431);
    assert_eq!(server.executed(), 0);
}

#[test]
fn a_slow_head_is_cut() {
    let server = start_with(|options| options.head_timeout = Duration::from_millis(200));
    let mut socket = Socket::open(server.address);
    let started = Instant::now();
    socket.send("POST / HTTP/1.1\r\nHost: local");
    assert!(socket.is_closed());
    assert!(started.elapsed() < Duration::from_secs(5));
}

#[test]
fn a_slow_body_is_told_and_cut() {
    let server = start_with(|options| options.body_timeout = Duration::from_millis(200));
    let mut socket = Socket::open(server.address);
    socket.send(format!("POST / HTTP/1.1\r\n{}Content-Length: 100\r\n\r\n{{", sdk_headers("ListTables")));
    assert_eq!(socket.answer().expect("an answer").status, 408);
    assert!(socket.is_closed());
}

#[test]
fn a_silent_connection_is_closed_and_a_busy_one_is_not() {
    let server = start_with(|options| options.idle_timeout = Duration::from_millis(250));
    let (mut silent, mut fresh) = (Socket::open(server.address), Socket::open(server.address));
    silent.send(sdk("ListTables", "{}"));
    assert_eq!(silent.answer().expect("an answer").status, 200);
    fresh.send(sdk("DescribeTable", r#"{"TableName":"slow"}"#));
    assert!(fresh.answer().is_some(), "work of 400 ms is not idleness");
    assert!(silent.is_closed());
}

#[test]
fn a_client_that_does_not_read_is_cut() {
    let server = start_with(|options| options.idle_timeout = Duration::from_millis(300));
    let mut deaf = Socket::open(server.address);
    let request = sdk("ListTables", r#"{"Limit":100}"#);
    deaf.stream.set_write_timeout(Some(Duration::from_secs(10))).expect("a timeout");
    let cut = (0..100_000).any(|_| deaf.stream.write_all(request.as_bytes()).is_err());
    assert!(cut, "the server kept on answering into nothing");
}

#[test]
fn connections_beyond_the_limit_are_refused_until_one_ends() {
    let server = start_with(|options| options.max_connections = 2);
    let mut kept: Vec<_> = (0..2).map(|_| Socket::open(server.address)).collect();
    for socket in &mut kept {
        socket.send(sdk("ListTables", "{}"));
        assert_eq!(socket.answer().expect("an answer").status, 200);
    }
    let mut refused = Socket::open(server.address);
    refused.send(sdk("ListTables", "{}"));
    assert_eq!(refused.answer().expect("an answer").status, 503);
    assert!(refused.is_closed());
    kept.pop();
    let deadline = Instant::now() + Duration::from_secs(5);
    loop {
        if ask(server.address, sdk("ListTables", "{}")).status == 200 {
            break;
        }
        assert!(Instant::now() < deadline, "the place was not given back");
    }
}
