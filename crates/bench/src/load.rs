//! The load generator: a closed loop of keep-alive connections on one thread, with prebuilt requests and the least
//! parsing of answers that is safe.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use crate::Error;
use crate::contestant::Running;
use crate::workload::Request;

/// A connection that sends a request and waits for its answer.
pub(crate) struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

/// An answer, as far as a benchmark looks at it.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: std::ops::Range<usize>,
}

impl Connection {
    pub(crate) async fn open(server: SocketAddr) -> std::io::Result<Self> {
        let stream = TcpStream::connect(server).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, buffer: Vec::with_capacity(64 << 10) })
    }

    pub(crate) async fn ask(&mut self, request: &[u8]) -> std::io::Result<Answer> {
        self.stream.write_all(request).await?;
        self.buffer.clear();
        let head = loop {
            self.read().await?;
            if let Some(end) = memchr::memmem::find(&self.buffer, b"\r\n\r\n") {
                break end + 4;
            }
        };
        let status = self.buffer.get(9..12).and_then(|digits| std::str::from_utf8(digits).ok()?.parse().ok());
        let status = status.ok_or_else(|| std::io::Error::other("no status"))?;
        match header(&self.buffer[..head], b"content-length") {
            Some(length) => {
                let end = head + length.parse::<usize>().map_err(std::io::Error::other)?;
                while self.buffer.len() < end {
                    self.read().await?;
                }
                Ok(Answer { status, body: head..end })
            }
            None => {
                while !self.buffer.ends_with(b"0\r\n\r\n") {
                    self.read().await?;
                }
                Ok(Answer { status, body: head..self.buffer.len() })
            }
        }
    }

    pub(crate) fn text(&self, answer: &Answer) -> String {
        String::from_utf8_lossy(&self.buffer[answer.body.clone()]).into_owned()
    }

    async fn read(&mut self) -> std::io::Result<()> {
        match self.stream.read_buf(&mut self.buffer).await? {
            0 => Err(std::io::ErrorKind::UnexpectedEof.into()),
            _ => Ok(()),
        }
    }
}

fn header<'a>(head: &'a [u8], name: &[u8]) -> Option<&'a str> {
    let mut lines = head.split(|byte| *byte == b'\n');
    let line = lines.find(|line| line.len() > name.len() && line[..name.len()].eq_ignore_ascii_case(name))?;
    std::str::from_utf8(&line[name.len() + 1..]).ok().map(str::trim)
}

/// What one measurement found.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Sample {
    pub(crate) per_second: f64,
    pub(crate) p50_ms: f64,
    pub(crate) p99_ms: f64,
    /// Processor time of the server per request, in microseconds.
    pub(crate) cpu_us: f64,
}

/// Sends everything once, over a few connections.
pub(crate) fn send_all(who: &str, server: SocketAddr, requests: Vec<Vec<u8>>) -> Result<(), Error> {
    let requests = std::sync::Arc::new(requests);
    let next = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let who = who.to_owned();
    block_on(async move {
        let mut tasks = JoinSet::new();
        for _ in 0..16 {
            let (requests, next, who) = (requests.clone(), next.clone(), who.clone());
            tasks.spawn(async move {
                let mut connection = Connection::open(server).await.map_err(Error::io(format!("reaching {who}")))?;
                while let Some(request) = requests.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed)) {
                    checked(&who, &mut connection, request).await?;
                }
                Ok(())
            });
        }
        while let Some(ended) = tasks.join_next().await {
            ended.map_err(|error| Error::io("loading")(std::io::Error::other(error)))??;
        }
        Ok(())
    })
}

/// Sends one request and wants success.
pub(crate) async fn checked(who: &str, connection: &mut Connection, request: &[u8]) -> Result<String, Error> {
    let answer = connection.ask(request).await.map_err(Error::io(format!("asking {who}")))?;
    let body = connection.text(&answer);
    match answer.status {
        200 => Ok(body),
        status => Err(Error::Refused { who: who.to_owned(), status, body }),
    }
}

/// Runs a closed loop on that many connections; a tenth of the time before it is not counted.
pub(crate) fn measure(
    server: &Running,
    request: &Request,
    connections: usize,
    duration: Duration,
) -> Result<Sample, Error> {
    let begin = Instant::now() + duration / 10;
    let end = begin + duration;
    let (who, address, request) = (server.who.name().to_owned(), server.address, request.clone());
    let cpu_before = server.cpu_time();
    let (mut latencies, answered) = block_on(async move {
        let mut tasks = JoinSet::new();
        for number in 0..connections {
            tasks.spawn(closed_loop(who.clone(), address, request.clone(), number as u64, begin, end));
        }
        let (mut latencies, mut answered) = (Vec::new(), 0);
        while let Some(ended) = tasks.join_next().await {
            let counted = ended.map_err(|error| Error::io("measuring")(std::io::Error::other(error)))??;
            latencies.extend(counted.latencies);
            answered += counted.answered;
        }
        Ok((latencies, answered))
    })?;
    let cpu = server.cpu_time().zip(cpu_before).map_or(0.0, |(after, before)| (after - before).as_secs_f64());
    latencies.sort_unstable();
    let at = |share: f64| {
        let place = (latencies.len() as f64 * share) as usize;
        latencies.get(place.min(latencies.len().saturating_sub(1))).map_or(0.0, |micros| f64::from(*micros) / 1000.0)
    };
    Ok(Sample {
        per_second: latencies.len() as f64 / duration.as_secs_f64(),
        p50_ms: at(0.5),
        p99_ms: at(0.99),
        cpu_us: if answered > 0 { cpu * 1e6 / f64::from(answered) } else { 0.0 },
    })
}

/// What one connection saw.
struct Counted {
    /// In microseconds, of the time that counts.
    latencies: Vec<u32>,
    /// All answers, counted or not.
    answered: u32,
}

async fn closed_loop(
    who: String,
    server: SocketAddr,
    mut request: Request,
    seed: u64,
    begin: Instant,
    end: Instant,
) -> Result<Counted, Error> {
    let mut random =
        fastrand::Rng::with_seed(seed ^ u64::from(jiff::Timestamp::now().subsec_nanosecond().unsigned_abs()));
    let mut connection = Connection::open(server).await.map_err(Error::io(format!("reaching {who}")))?;
    let mut counted = Counted { latencies: Vec::with_capacity(1 << 12), answered: 0 };
    loop {
        request.shuffle(&mut random);
        let started = Instant::now();
        let answer = connection.ask(&request.bytes).await.map_err(Error::io(format!("asking {who}")))?;
        let now = Instant::now();
        if answer.status != 200 {
            return Err(Error::Refused { who, status: answer.status, body: connection.text(&answer) });
        }
        counted.answered += 1;
        if now >= end {
            return Ok(counted);
        }
        // Whatever ends within the time counts, so that slow servers are not made slower.
        if now >= begin {
            counted.latencies.push(u32::try_from((now - started).as_micros()).unwrap_or(u32::MAX));
        }
    }
}

/// Runs a future on a runtime of its own, on this thread alone.
pub(crate) fn block_on<T>(future: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.map_err(Error::io("starting a runtime"))?.block_on(future)
}
