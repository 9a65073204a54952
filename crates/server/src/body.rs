//! Collecting a request's body: at most 16 MiB, however it is sent, within bounded memory and time.

use std::io::Read;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use flate2::bufread::MultiGzDecoder;
use http_body_util::BodyExt;
use hyper::body::{Body, Incoming};
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::options::{LARGE_BODIES, LARGE_BODY, MAX_BODY};

/// Why there is no body to work on.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("the body is larger than 16 MiB")]
    TooLarge,
    #[error("the body took too long")]
    TooSlow,
    #[error("the client went away")]
    Broken(#[source] hyper::Error),
    #[error("the content encoding '{0}' is not known")]
    UnknownEncoding(String),
    #[error("the body is not gzip")]
    NotGzip(#[source] std::io::Error),
}

/// A body, and its share of the memory that large bodies may take.
pub(crate) struct Collected<'a> {
    pub(crate) bytes: Bytes,
    _share: Option<SemaphorePermit<'a>>,
}

/// Collects bodies under one memory budget.
pub(crate) struct Collector {
    /// Kibibytes that large bodies may still take.
    budget: Semaphore,
    timeout: Duration,
}

impl Collector {
    pub(crate) fn new(timeout: Duration) -> Self {
        Self { budget: Semaphore::new(LARGE_BODIES >> 10), timeout }
    }

    /// The whole body. Too much is read on and thrown away for a while, so that the client gets to the answer.
    pub(crate) async fn collect(&self, mut body: Incoming) -> Result<Collected<'_>, Error> {
        if body.is_end_stream() {
            return Ok(Collected { bytes: Bytes::new(), _share: None });
        }
        tokio::time::timeout(self.timeout, self.gather(&mut body)).await.unwrap_or(Err(Error::TooSlow))
    }

    async fn gather(&self, body: &mut Incoming) -> Result<Collected<'_>, Error> {
        let declared = body.size_hint();
        if declared.lower() > MAX_BODY as u64 {
            return Err(discard(body).await);
        }
        // Most bodies arrive in one piece, which is passed on as it is.
        let first = next_piece(body).await?.unwrap_or_default();
        if body.is_end_stream() {
            return Ok(Collected { bytes: first, _share: None });
        }
        let expected = declared.upper().map_or(MAX_BODY, |length| usize::try_from(length).unwrap_or(MAX_BODY));
        let share = self.share(expected).await;
        let mut whole = BytesMut::with_capacity(expected.min(LARGE_BODY));
        whole.extend_from_slice(&first);
        while let Some(piece) = next_piece(body).await? {
            if whole.len() + piece.len() > MAX_BODY {
                drop((whole, share));
                return Err(discard(body).await);
            }
            whole.extend_from_slice(&piece);
        }
        Ok(Collected { bytes: whole.freeze(), _share: share })
    }

    /// Waits for room for a body of that size, all at once, so that two half-read bodies never wait for each other.
    async fn share(&self, size: usize) -> Option<SemaphorePermit<'_>> {
        if size <= LARGE_BODY {
            return None;
        }
        let kibibytes = u32::try_from(size.div_ceil(1024)).unwrap_or(u32::MAX);
        Some(self.budget.acquire_many(kibibytes).await.expect("the budget is never closed"))
    }
}

async fn next_piece(body: &mut Incoming) -> Result<Option<Bytes>, Error> {
    while let Some(frame) = body.frame().await {
        // Trailers carry nothing that DynamoDB knows.
        if let Ok(piece) = frame.map_err(Error::Broken)?.into_data() {
            return Ok(Some(piece));
        }
    }
    Ok(None)
}

/// Reads on without keeping anything, so that a client that sends first and listens later hears the answer; but
/// not for ever.
async fn discard(body: &mut Incoming) -> Error {
    let mut left = 2 * MAX_BODY;
    while let Ok(Some(piece)) = next_piece(body).await {
        match left.checked_sub(piece.len()) {
            Some(rest) => left = rest,
            None => break,
        }
    }
    Error::TooLarge
}

/// Undoes the `Content-Encoding` of a request. Amazon takes gzip and nothing else.
pub(crate) fn decode(encoding: &str, body: &[u8]) -> Result<Bytes, Error> {
    match encoding.trim() {
        name if name.eq_ignore_ascii_case("identity") || name.is_empty() => Ok(Bytes::copy_from_slice(body)),
        name if name.eq_ignore_ascii_case("gzip") => {
            let mut plain = Vec::new();
            let mut decoder = MultiGzDecoder::new(body).take(MAX_BODY as u64 + 1);
            decoder.read_to_end(&mut plain).map_err(Error::NotGzip)?;
            if plain.len() > MAX_BODY { Err(Error::TooLarge) } else { Ok(plain.into()) }
        }
        name => Err(Error::UnknownEncoding(name.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::io::Write;

    fn gzip(plain: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(plain).expect("written to memory");
        encoder.finish().expect("written to memory")
    }

    #[test]
    fn gzip_in_one_or_several_members_is_undone() {
        assert_eq!(decode("gzip", &gzip(b"{}")).expect("gzip"), "{}");
        assert_eq!(decode("GZIP", &[gzip(b"{"), gzip(b"}")].concat()).expect("gzip"), "{}");
    }

    #[test]
    fn broken_gzip_is_an_error() {
        let whole = gzip(b"{}");
        for bad in [&whole[..whole.len() - 1], &[whole.as_slice(), b"junk"].concat(), b"{}", b""] {
            assert!(matches!(decode("gzip", bad), Err(Error::NotGzip(_))));
        }
        assert!(matches!(decode("deflate", &whole), Err(Error::UnknownEncoding(_))));
    }

    #[test]
    fn a_bomb_stops_at_the_limit() {
        assert_eq!(decode("gzip", &gzip(&vec![b' '; MAX_BODY])).expect("at the limit").len(), MAX_BODY);
        assert!(matches!(decode("gzip", &gzip(&vec![b' '; MAX_BODY + 1])), Err(Error::TooLarge)));
    }
}
