//! Requests that two HTTP parsers could read differently: at most one request is ever seen, and nothing after it.

use crate::fake::start;
use crate::socket::{Socket, sdk, sdk_headers};

/// Sends the bytes, followed by a second request, and returns the statuses until the server closes.
fn statuses(request: &str) -> (Vec<u16>, usize) {
    let server = start();
    let mut socket = Socket::open(server.address);
    socket.send(request);
    let statuses = std::iter::from_fn(|| socket.answer()).map(|answer| answer.status).collect();
    (statuses, server.executed())
}

fn post(extra: &str, body: &str) -> String {
    format!("POST / HTTP/1.1\r\n{}{extra}\r\n{body}", sdk_headers("ListTables"))
}

#[test]
fn content_length_with_transfer_encoding_is_one_request_and_the_end() {
    for extra in
        ["Content-Length: 6\r\nTransfer-Encoding: chunked\r\n", "Transfer-Encoding: chunked\r\nContent-Length: 6\r\n"]
    {
        let smuggled = sdk("ListTables", "{}");
        let (statuses, executed) = statuses(&post(extra, &format!("2\r\n{{}}\r\n0\r\n\r\n{smuggled}")));
        assert!(statuses.len() == 1 && executed <= 1, "{statuses:?} {executed}");
    }
}

#[test]
fn malformed_requests_are_refused_and_the_connection_closed() {
    let smuggled = sdk("ListTables", "{}");
    let cases = [
        post("Content-Length: 2\r\nContent-Length: 3\r\n", &format!("{{}}{smuggled}")),
        post("Content-Length: 2, 3\r\n", &format!("{{}}{smuggled}")),
        post("Content-Length: +2\r\n", &format!("{{}}{smuggled}")),
        post("Content-Length: -2\r\n", &format!("{{}}{smuggled}")),
        post("Content-Length: 18446744073709551616\r\n", "{}"),
        post("Content-Length : 2\r\n", &format!("{{}}{smuggled}")),
        post("Transfer-Encoding: xchunked\r\n", &format!("2\r\n{{}}\r\n0\r\n\r\n{smuggled}")),
        post("Transfer-Encoding: chunked, identity\r\n", &format!("2\r\n{{}}\r\n0\r\n\r\n{smuggled}")),
        post("X-Folded: a\r\n b\r\nContent-Length: 2\r\n", &format!("{{}}{smuggled}")),
        post("Bad Name: x\r\nContent-Length: 2\r\n", &format!("{{}}{smuggled}")),
        post("X-Nul: a\0b\r\nContent-Length: 2\r\n", &format!("{{}}{smuggled}")),
        format!("POST / HTTP/9.9\r\n{}\r\n", sdk_headers("ListTables")),
        "\u{16}\u{3}\u{1}\u{2}\0\u{1}\0\u{1}\u{fc}\u{3}\u{3}".to_owned(),
    ];
    for case in cases {
        let (statuses, executed) = statuses(&case);
        assert_eq!((statuses.as_slice(), executed), ([400].as_slice(), 0), "{case}");
    }
}

#[test]
fn malformed_chunks_are_refused_and_the_connection_closed() {
    let smuggled = sdk("ListTables", "{}");
    for chunks in [
        "10000000000000000\r\n{}\r\n0\r\n\r\n",
        "-2\r\n{}\r\n0\r\n\r\n",
        "0x2\r\n{}\r\n0\r\n\r\n",
        "2 x\r\n{}\r\n0\r\n\r\n",
        "2\r\n{}xx0\r\n\r\n",
    ] {
        let (statuses, executed) = statuses(&post("Transfer-Encoding: chunked\r\n", &format!("{chunks}{smuggled}")));
        assert!(
            executed == 0 && statuses.len() <= 1 && !statuses.contains(&200),
            "{chunks:?}: {statuses:?} {executed}"
        );
    }
}

#[test]
fn equal_lengths_and_bare_line_feeds_are_read_in_one_way() {
    // RFC 9112 lets a server read both; what counts is that the bytes after the body are the next request, whole.
    let twice = post("Content-Length: 2\r\nContent-Length: 2\r\nConnection: close\r\n", "{}");
    assert_eq!(statuses(&twice), (vec![200], 1));
    let bare = post("Content-Length: 2\r\nConnection: close\r\n", "{}").replace("\r\n", "\n");
    let (statuses, executed) = statuses(&bare);
    assert!(statuses.len() == 1 && executed <= 1, "{statuses:?}");
}

#[test]
fn http_1_0_is_one_request_and_the_end() {
    let request = sdk("ListTables", "{}").replace("HTTP/1.1", "HTTP/1.0");
    assert_eq!(statuses(&request), (vec![200], 1));
    let chunked = post("Transfer-Encoding: chunked\r\n", "2\r\n{}\r\n0\r\n\r\n").replace("HTTP/1.1", "HTTP/1.0");
    assert_eq!(statuses(&chunked), (vec![400], 0));
}
