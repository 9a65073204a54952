//! A client that sends exactly the bytes it is told to.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use crate::fake::DATE;

/// One connection.
pub(crate) struct Socket {
    pub(crate) stream: TcpStream,
    unread: Vec<u8>,
}

/// One answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

impl Socket {
    pub(crate) fn open(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).expect("the server listens");
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout");
        stream.set_nodelay(true).expect("no delay");
        Self { stream, unread: Vec::new() }
    }

    pub(crate) fn send(&mut self, bytes: impl AsRef<[u8]>) {
        self.stream.write_all(bytes.as_ref()).expect("sent");
    }

    /// The next answer, or `None` when the server has closed.
    pub(crate) fn answer(&mut self) -> Option<Answer> {
        let end = loop {
            if let Some(end) = self.unread.windows(4).position(|four| four == b"\r\n\r\n") {
                break end + 4;
            }
            if !self.read_more() {
                return None;
            }
        };
        let head = String::from_utf8(self.unread.drain(..end).collect()).expect("a head in ASCII");
        let mut lines = head.trim_end().split("\r\n");
        let status = lines.next().and_then(|line| line.split(' ').nth(1)).expect("a status line");
        let status = status.parse().expect("a numeric status");
        let headers = lines.filter_map(|line| line.split_once(": "));
        let headers: Vec<_> = headers.map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned())).collect();
        let mut answer = Answer { status, headers, body: Vec::new() };
        if answer.header("transfer-encoding") == Some("chunked") {
            answer.body = self.chunks();
        } else {
            let length = answer.header("content-length").map_or(0, |text| text.parse().expect("a length"));
            answer.body = self.take(length);
        }
        Some(answer)
    }

    fn take(&mut self, length: usize) -> Vec<u8> {
        while self.unread.len() < length {
            assert!(self.read_more(), "the body is cut off");
        }
        self.unread.drain(..length).collect()
    }

    fn chunks(&mut self) -> Vec<u8> {
        let mut body = Vec::new();
        loop {
            let end = loop {
                if let Some(end) = self.unread.windows(2).position(|two| two == b"\r\n") {
                    break end;
                }
                assert!(self.read_more(), "the body is cut off");
            };
            let size = String::from_utf8(self.take(end + 2)).expect("a size in ASCII");
            let size = usize::from_str_radix(size.trim_end(), 16).expect("a size");
            body.extend_from_slice(&self.take(size));
            self.take(2);
            if size == 0 {
                return body;
            }
        }
    }

    /// Whether the server has closed, and sent nothing before it did.
    pub(crate) fn is_closed(&mut self) -> bool {
        self.unread.is_empty() && !self.read_more()
    }

    fn read_more(&mut self) -> bool {
        let mut buffer = [0; 65536];
        match self.stream.read(&mut buffer) {
            Ok(count) => {
                self.unread.extend_from_slice(&buffer[..count]);
                count > 0
            }
            Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => false,
            Err(error) => panic!("the server neither answered nor closed: {error}"),
        }
    }
}

/// Sends one request on a connection of its own.
pub(crate) fn ask(address: SocketAddr, request: impl AsRef<[u8]>) -> Answer {
    let mut socket = Socket::open(address);
    socket.send(request);
    socket.answer().expect("an answer")
}

/// The headers that an SDK sends, without those of the body.
pub(crate) fn sdk_headers(target: &str) -> String {
    format!(
        "Host: localhost:8000\r\nX-Amz-Target: DynamoDB_20120810.{target}\r\nX-Amz-Date: {DATE}\r\n\
         Content-Type: application/x-amz-json-1.0\r\nAuthorization: AWS4-HMAC-SHA256 \
         Credential=key/20130609/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date;x-amz-target, \
         Signature=0a\r\n"
    )
}

/// A whole request as an SDK sends it.
pub(crate) fn sdk(target: &str, body: &str) -> String {
    with_headers(&sdk_headers(target), body)
}

/// A POST with these headers.
pub(crate) fn with_headers(headers: &str, body: &str) -> String {
    format!("POST / HTTP/1.1\r\n{headers}Content-Length: {}\r\n\r\n{body}", body.len())
}
