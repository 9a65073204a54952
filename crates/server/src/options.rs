//! What can be chosen about a server. Every default serves somebody who tries it for the first time on their own
//! machine, and is safe there.

use std::time::Duration;

/// DynamoDB takes bodies of up to 16 MiB.
pub(crate) const MAX_BODY: usize = 16 << 20;
/// Request line and headers beyond this are a bad request.
pub(crate) const MAX_HEAD: usize = 16 << 10;
/// All bodies above [`LARGE_BODY`] that are held at one moment share this many bytes.
pub(crate) const LARGE_BODIES: usize = 512 << 20;
/// Bodies up to this size are not counted.
pub(crate) const LARGE_BODY: usize = 256 << 10;
/// Amazon compresses answers from this size on.
pub(crate) const COMPRESS_FROM: usize = 4096;

/// Where connections are served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Workers {
    /// On the runtime that [`crate::Server::run`] is awaited on.
    Ambient,
    /// On this many threads of their own, each with a runtime of its own; connections are dealt out in turn.
    Own(usize),
}

/// How a server behaves.
#[derive(Debug, Clone)]
pub struct Options {
    /// Names in `Host` that are answered beside loopback names and, on a non-loopback address, IP addresses and
    /// names without a dot. `*` allows all.
    pub allowed_hosts: Vec<String>,
    /// Browser origins that may call. `*` allows all.
    pub allowed_origins: Vec<String>,
    /// Further connections are refused with 503.
    pub max_connections: usize,
    /// How long a request's head may take to arrive.
    pub head_timeout: Duration,
    /// How long a request's body may take to arrive.
    pub body_timeout: Duration,
    /// How long a connection may stay silent between requests, or not take what it is sent.
    pub idle_timeout: Duration,
    /// How long requests in flight may take after shutdown was asked for.
    pub drain_timeout: Duration,
    /// How far a signature's date may be off; `None` accepts any date.
    pub signature_window: Option<Duration>,
    /// Whether answers of 4 KiB and more are compressed for clients that ask for it, as Amazon does.
    pub compress: bool,
    /// Where connections are served.
    pub workers: Workers,
    /// Seconds since 1970, for signature dates.
    pub now: fn() -> i64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            allowed_hosts: Vec::new(),
            allowed_origins: Vec::new(),
            max_connections: 4096,
            head_timeout: Duration::from_secs(20),
            body_timeout: Duration::from_secs(60),
            idle_timeout: Duration::from_secs(180),
            drain_timeout: Duration::from_secs(5),
            signature_window: Some(Duration::from_secs(15 * 60)),
            compress: true,
            workers: Workers::Ambient,
            now: system_seconds,
        }
    }
}

#[allow(clippy::disallowed_methods, reason = "the server's one door to the clock; tests hand in another")]
fn system_seconds() -> i64 {
    std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .map_or(0, |since| i64::try_from(since.as_secs()).unwrap_or(i64::MAX))
}
