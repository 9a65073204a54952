//! Connections: one task each, and a register that one sweeper walks through to end those that keep silent.
//!
//! Timers per request cost more than the rest of a small request's HTTP, so a connection only notes what it is
//! doing and since when; the sweeper, waking a few times a second, does the rest.

use std::collections::HashMap;
use std::convert::Infallible;
use std::io;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use parking_lot::Mutex;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::Notify;

use crate::endpoint::Endpoint;
use crate::options::{MAX_HEAD, Options};

/// What a connection is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u64)]
enum Phase {
    /// Waiting for a request, or sending an answer.
    Quiet,
    /// Some of a request has arrived.
    Receiving,
    /// A request is being worked on, its body included; that has a timeout of its own.
    Working,
}

/// What one connection is doing, since when, and what it has been told.
struct Activity {
    /// Milliseconds since the register was made, then two bits of [`Phase`].
    state: AtomicU64,
    told: Notify,
    /// Whether it has been told to end at once, rather than after the request in flight.
    abort: AtomicBool,
}

impl Activity {
    fn note(&self, phase: Phase, now: u64) {
        self.state.store(now << 2 | phase as u64, Ordering::Relaxed);
    }

    fn is(&self, phase: Phase) -> bool {
        self.state.load(Ordering::Relaxed) & 3 == phase as u64
    }

    fn is_overdue(&self, now: u64, head: u64, idle: u64) -> bool {
        let state = self.state.load(Ordering::Relaxed);
        let age = now.saturating_sub(state >> 2);
        match state & 3 {
            phase if phase == Phase::Quiet as u64 => age > idle,
            phase if phase == Phase::Receiving as u64 => age > head,
            _ => false,
        }
    }
}

/// All open connections.
pub(crate) struct Register {
    open: Mutex<HashMap<u64, Arc<Activity>>>,
    next: AtomicU64,
    started: Instant,
    /// Milliseconds since `started`, as of the sweeper's last round: exact enough for timeouts, and cheap to read.
    now: AtomicU64,
    changed: Notify,
    head_timeout: Duration,
    idle_timeout: Duration,
    max: usize,
}

/// A connection's place in the register, given back when dropped.
pub(crate) struct Place {
    register: Arc<Register>,
    number: u64,
    activity: Arc<Activity>,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.register.open.lock().remove(&self.number);
        self.register.changed.notify_one();
    }
}

impl Register {
    pub(crate) fn new(options: &Options) -> Arc<Self> {
        Arc::new(Self {
            open: Mutex::default(),
            next: AtomicU64::new(0),
            started: Instant::now(),
            now: AtomicU64::new(0),
            changed: Notify::new(),
            head_timeout: options.head_timeout,
            idle_timeout: options.idle_timeout,
            max: options.max_connections,
        })
    }

    /// A place for one more connection, unless the house is full.
    pub(crate) fn enter(self: &Arc<Self>) -> Option<Place> {
        let state = AtomicU64::new(self.now.load(Ordering::Relaxed) << 2);
        let activity = Arc::new(Activity { state, told: Notify::new(), abort: AtomicBool::new(false) });
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let mut open = self.open.lock();
        if open.len() >= self.max {
            return None;
        }
        open.insert(number, activity.clone());
        drop(open);
        Some(Place { register: self.clone(), number, activity })
    }

    /// Ends connections that keep silent, for ever.
    pub(crate) async fn sweep(&self) {
        let pause = (self.head_timeout.min(self.idle_timeout) / 8).clamp(MIN_PAUSE, MAX_PAUSE);
        let (head, idle) = (millis(self.head_timeout), millis(self.idle_timeout));
        loop {
            tokio::time::sleep(pause).await;
            let now = millis(self.started.elapsed());
            self.now.store(now, Ordering::Relaxed);
            for activity in self.open.lock().values().filter(|activity| activity.is_overdue(now, head, idle)) {
                activity.abort.store(true, Ordering::Relaxed);
                activity.told.notify_one();
            }
        }
    }

    /// Lets requests in flight finish, for so long, and ends all connections. Returns how many had to be cut.
    pub(crate) async fn drain(&self, patience: Duration) -> usize {
        for activity in self.open.lock().values() {
            activity.told.notify_one();
        }
        if tokio::time::timeout(patience, self.emptied()).await.is_ok() {
            return 0;
        }
        let cut = {
            let open = self.open.lock();
            for activity in open.values() {
                activity.abort.store(true, Ordering::Relaxed);
                activity.told.notify_one();
            }
            open.len()
        };
        // What is cut ends at its next step; an operation that never yields is not waited for.
        let _ = tokio::time::timeout(Duration::from_secs(1), self.emptied()).await;
        cut
    }

    async fn emptied(&self) {
        while !self.open.lock().is_empty() {
            self.changed.notified().await;
        }
    }
}

/// How often the sweeper looks at the least.
const MAX_PAUSE: Duration = Duration::from_secs(1);
/// How often the sweeper looks at the most.
const MIN_PAUSE: Duration = Duration::from_millis(10);

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// Serves one connection until it ends, is told to end, or has been silent for too long.
pub(crate) async fn serve(stream: TcpStream, place: Place, endpoint: Arc<Endpoint>) {
    let (register, activity) = (place.register.clone(), place.activity.clone());
    let io = TokioIo::new(Watched { stream, register: register.clone(), activity: activity.clone() });
    let service = service_fn(|request| {
        activity.note(Phase::Working, 0);
        let (endpoint, activity, register) = (&endpoint, &activity, &register);
        async move {
            let response = endpoint.answer(request).await;
            activity.note(Phase::Quiet, register.now.load(Ordering::Relaxed));
            Ok::<_, Infallible>(response)
        }
    });
    let connection =
        http1::Builder::new().header_read_timeout(None).max_header_size(4 * MAX_HEAD).serve_connection(io, service);
    let mut connection = pin!(connection);
    loop {
        tokio::select! {
            biased;
            ended = connection.as_mut() => {
                if let Err(error) = ended {
                    tracing::debug!(%error, "a connection broke");
                }
                break;
            }
            () = activity.told.notified() => {
                if activity.abort.load(Ordering::Relaxed) {
                    break;
                }
                connection.as_mut().graceful_shutdown();
            }
        }
    }
    drop(place);
}

/// A socket that notes when something moves.
struct Watched {
    stream: TcpStream,
    register: Arc<Register>,
    activity: Arc<Activity>,
}

impl Watched {
    fn moved(&self) {
        if self.activity.is(Phase::Quiet) {
            self.activity.note(Phase::Quiet, self.register.now.load(Ordering::Relaxed));
        }
    }
}

impl AsyncRead for Watched {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = into.filled().len();
        let poll = Pin::new(&mut self.stream).poll_read(context, into);
        if into.filled().len() > before && self.activity.is(Phase::Quiet) {
            self.activity.note(Phase::Receiving, self.register.now.load(Ordering::Relaxed));
        }
        poll
    }
}

impl AsyncWrite for Watched {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let poll = Pin::new(&mut self.stream).poll_write(context, bytes);
        if poll.is_ready() {
            self.moved();
        }
        poll
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let poll = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        if poll.is_ready() {
            self.moved();
        }
        poll
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
