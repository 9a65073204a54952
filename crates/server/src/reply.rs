//! Answers: status, headers and one buffer of body.

use bytes::Bytes;
use espalier_wire::Fault;
use http_body_util::Full;
use hyper::header::{CONNECTION, CONTENT_ENCODING, CONTENT_TYPE, HeaderName, HeaderValue, TRANSFER_ENCODING};
use hyper::{Response, StatusCode};

use crate::encoding::Encoding;

/// What hyper sends.
pub(crate) type HttpResponse = Response<Full<Bytes>>;

static REQUEST_ID: HeaderName = HeaderName::from_static("x-amzn-requestid");
static CHECKSUM: HeaderName = HeaderName::from_static("x-amz-crc32");

/// An answer on its way out.
pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    pub(crate) content_type: Option<&'static str>,
    pub(crate) body: Bytes,
    /// Whether the connection cannot be used any more.
    pub(crate) close: bool,
    /// Whether the length is left open.
    pub(crate) chunked: bool,
}

impl Reply {
    pub(crate) fn new(status: StatusCode, content_type: Option<&'static str>, body: impl Into<Bytes>) -> Self {
        Self { status, content_type, body: body.into(), close: false, chunked: false }
    }

    /// A fault in the shape that wire gives it.
    pub(crate) fn fault(fault: &Fault, content_type: &'static str) -> Self {
        let status = StatusCode::from_u16(fault.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        Self::new(status, Some(content_type), fault.body())
    }

    /// What Amazon answers to anything that is not a DynamoDB request.
    pub(crate) fn not_an_operation() -> Self {
        Self::new(StatusCode::NOT_FOUND, None, Bytes::from_static(b"<UnknownOperationException/>\n"))
    }

    /// Nothing but a status, and the end of the connection.
    pub(crate) fn closing(status: StatusCode) -> Self {
        Self { close: true, ..Self::new(status, None, Bytes::new()) }
    }

    /// The same, and the connection ends after it.
    pub(crate) fn and_close(self) -> Self {
        Self { close: true, ..self }
    }

    /// The same, without a length in its head.
    pub(crate) fn in_chunks(self) -> Self {
        Self { chunked: true, ..self }
    }

    /// Adds the headers that every answer has, and compresses where that is wished for.
    pub(crate) fn into_response(mut self, encoding: Option<Encoding>) -> HttpResponse {
        let compressed = encoding.and_then(|encoding| Some((encoding, encoding.compress(&self.body)?)));
        let encoding = compressed.map(|(encoding, body)| {
            self.body = body.into();
            encoding
        });
        // SDKs hold the checksum against the bytes as they arrive, compressed or not.
        let checksum = crc32fast::hash(&self.body);
        let mut response = Response::new(Full::new(self.body));
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        headers.reserve(6);
        headers.insert(REQUEST_ID.clone(), request_id());
        headers.insert(CHECKSUM.clone(), HeaderValue::from(checksum));
        if let Some(content_type) = self.content_type {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
        }
        if let Some(encoding) = encoding {
            headers.insert(CONTENT_ENCODING, HeaderValue::from_static(encoding.name()));
        }
        if self.chunked {
            headers.insert(TRANSFER_ENCODING, HeaderValue::from_static("chunked"));
        }
        if self.close {
            headers.insert(CONNECTION, HeaderValue::from_static("close"));
        }
        response
    }
}

/// 52 upper-case letters and digits, as Amazon's.
fn request_id() -> HeaderValue {
    const LETTERS: &[u8; 32] = b"0123456789ABCDEFGHIJKLMNOPQRSTUV";
    let mut id = [0u8; 52];
    for piece in id.chunks_mut(12) {
        let mut bits = fastrand::u64(..);
        for letter in piece {
            *letter = LETTERS[(bits & 31) as usize];
            bits >>= 5;
        }
    }
    HeaderValue::from_bytes(&id).expect("letters and digits make a header value")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn request_ids_look_like_amazons() {
        let (one, two) = (request_id(), request_id());
        assert_eq!(one.len(), 52);
        assert!(one.as_bytes().iter().all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit()));
        assert_ne!(one, two);
    }
}
