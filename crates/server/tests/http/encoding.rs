//! gzip in, gzip and deflate out.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::{GzDecoder, ZlibDecoder};
use flate2::write::GzEncoder;

use crate::fake::{start, start_with};
use crate::socket::{Answer, Socket, ask, sdk_headers, with_headers};

fn gzip(plain: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(plain).expect("written to memory");
    encoder.finish().expect("written to memory")
}

fn ask_encoded(address: std::net::SocketAddr, encoding: &str, body: &[u8]) -> Answer {
    let head = format!(
        "POST / HTTP/1.1\r\n{}Content-Encoding: {encoding}\r\nContent-Length: {}\r\n\r\n",
        sdk_headers("ListTables"),
        body.len()
    );
    ask(address, [head.as_bytes(), body].concat())
}

#[test]
fn gzip_requests_are_understood() {
    let server = start();
    let whole = gzip(br#"{"Limit":1}"#);
    assert!(ask_encoded(server.address, "gzip", &whole).text().contains("table-0"));
    let halves = [gzip(br#"{"Lim"#), gzip(br#"it":1}"#)].concat();
    assert!(ask_encoded(server.address, "gzip", &halves).text().contains("table-0"));
}

#[test]
fn what_cannot_be_decoded_is_a_500_as_on_amazon() {
    let server = start();
    let whole = gzip(b"{}");
    let cases: [(&str, &[u8]); 5] =
        [("garbage", b"{}"), ("deflate", b"{}"), ("gzip", b"{}"), ("gzip", b""), ("gzip", &whole[..whole.len() - 1])];
    for (encoding, body) in cases {
        assert_eq!(ask_encoded(server.address, encoding, body).status, 500, "{encoding} {body:?}");
    }
    assert_eq!(server.executed(), 0);
}

#[test]
fn a_gzip_bomb_is_too_large() {
    let server = start();
    let bomb = gzip(&vec![b' '; 20 << 20]);
    assert_eq!(ask_encoded(server.address, "gzip", &bomb).status, 413);
}

#[test]
fn large_answers_are_compressed_when_asked_for() {
    let server = start();
    let headers = |wish: &str| format!("{}Accept-Encoding: {wish}\r\n", sdk_headers("ListTables"));
    let plain = ask(server.address, with_headers(&headers("identity"), r#"{"Limit":100}"#));
    assert_eq!(plain.header("content-encoding"), None);
    for encoding in ["gzip", "deflate"] {
        let answer = ask(server.address, with_headers(&headers(encoding), r#"{"Limit":100}"#));
        assert_eq!(answer.header("content-encoding"), Some(encoding));
        assert_eq!(answer.header("x-amz-crc32"), Some(crc32fast::hash(&answer.body).to_string().as_str()));
        let mut text = Vec::new();
        match encoding {
            "gzip" => GzDecoder::new(&answer.body[..]).read_to_end(&mut text).expect("gzip"),
            _ => ZlibDecoder::new(&answer.body[..]).read_to_end(&mut text).expect("deflate"),
        };
        assert_eq!(text, plain.body);
    }
    let small = ask(server.address, with_headers(&headers("gzip"), r#"{"Limit":1}"#));
    assert_eq!(small.header("content-encoding"), None);
}

#[test]
fn compression_can_be_switched_off() {
    let server = start_with(|options| options.compress = false);
    let mut socket = Socket::open(server.address);
    let headers = format!("{}Accept-Encoding: gzip\r\n", sdk_headers("ListTables"));
    socket.send(with_headers(&headers, r#"{"Limit":100}"#));
    assert_eq!(socket.answer().expect("an answer").header("content-encoding"), None);
}
