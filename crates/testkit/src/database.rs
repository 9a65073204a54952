//! The database under test, reached in three ways by the same bytes: embedded in memory, embedded on disk, and over
//! HTTP.

use std::io::{BufRead, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::thread::JoinHandle;

use espalier_dynamo::Dynamo as _;
use espalier_engine::clock::ManualClock;
use espalier_engine::{Engine, Options};
use espalier_server::Server;
use espalier_wire::{Fault, Service, parse, write_response};
use serde_json::Value as Json;
use tokio::sync::oneshot;

/// Where the database lives and how it is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Road {
    Memory,
    Disk,
    Http,
}

/// What came back.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// The body; not JSON where the answer has none.
    pub body: Json,
}

impl Answer {
    fn new(status: u16, body: &[u8]) -> Self {
        let body =
            serde_json::from_slice(body).unwrap_or_else(|_| Json::String(String::from_utf8_lossy(body).into_owned()));
        Self { status, body }
    }

    /// The exception's name without its namespace.
    #[must_use]
    pub fn exception(&self) -> Option<&str> {
        let kind = self.body.get("__type")?.as_str()?;
        Some(kind.rsplit_once('#').map_or(kind, |(_, name)| name))
    }

    /// The sentence of an error: `message`, or `Message` where Amazon spells it so.
    #[must_use]
    pub fn message(&self) -> Option<&str> {
        self.body.get("message").or(self.body.get("Message"))?.as_str()
    }
}

/// A database that tests can reopen and whose clock they move.
pub struct Database {
    road: Road,
    clock: Arc<ManualClock>,
    folder: Option<tempfile::TempDir>,
    engine: Option<Engine>,
    runtime: tokio::runtime::Runtime,
    server: Option<Serving>,
}

impl Database {
    /// An empty database.
    #[must_use]
    pub fn new(road: Road, now_ms: i64) -> Self {
        let clock = Arc::new(ManualClock::at_ms(now_ms));
        let folder = (road == Road::Disk).then(|| tempfile::tempdir().expect("a folder for the test"));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let mut database = Self { road, clock, folder, engine: None, runtime, server: None };
        database.open();
        database
    }

    fn open(&mut self) {
        // Small sizes, so that short tests see several log segments and checkpoints.
        let store = espalier_store::Options {
            recent_bytes: 256 * 1024,
            segment_bytes: 256 * 1024,
            spare_segments: 1,
            cache_bytes: 4 * 1024 * 1024,
            chunk_entries: 500,
            ..espalier_store::Options::default()
        };
        let options = Options { clock: self.clock.clone(), housekeeping: false, store, ..Options::default() };
        let engine = match &self.folder {
            Some(folder) => Engine::open_with(folder.path(), options),
            None => Engine::in_memory_with(options),
        };
        let engine = engine.expect("the database opens");
        self.server = (self.road == Road::Http).then(|| Serving::start(engine.clone()));
        self.engine = Some(engine);
    }

    /// The engine itself.
    #[must_use]
    pub fn engine(&self) -> &Engine {
        self.engine.as_ref().expect("the database is open")
    }

    /// Sends a request.
    pub fn call(&mut self, operation: &str, body: &[u8]) -> Answer {
        match &mut self.server {
            Some(server) => server.call(operation, body),
            None => self.embedded(operation, body),
        }
    }

    fn embedded(&self, operation: &str, body: &[u8]) -> Answer {
        let answer = parse(operation, service(operation), body)
            .and_then(|request| self.runtime.block_on(self.engine().execute(request)).map_err(Fault::from));
        match answer {
            Ok(response) => {
                let mut out = Vec::new();
                write_response(&response, &mut out);
                Answer::new(200, &out)
            }
            Err(fault) => Answer::new(fault.status(), &fault.body()),
        }
    }

    /// Moves the clock on.
    pub fn advance_ms(&self, milliseconds: i64) {
        self.clock.advance_ms(milliseconds);
    }

    /// Does the background work.
    pub fn tick(&self) {
        self.engine().tick().expect("background work succeeds");
    }

    /// Closes and opens a database on disk; without `cleanly` it is dropped as it stands.
    pub fn reopen(&mut self, cleanly: bool) {
        if self.road != Road::Disk {
            return;
        }
        if cleanly {
            self.engine().close().expect("the database closes");
        }
        self.engine = None;
        self.open();
    }
}

/// The service an operation belongs to.
fn service(operation: &str) -> Service {
    match operation {
        "ListStreams" | "DescribeStream" | "GetShardIterator" | "GetRecords" => Service::Streams,
        _ => Service::DynamoDb,
    }
}

/// A server in this process, and one connection to it.
struct Serving {
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
    connection: BufReader<TcpStream>,
    address: SocketAddr,
}

impl Serving {
    fn start(engine: Engine) -> Self {
        let (stop, stopped) = oneshot::channel::<()>();
        let (tell, told) = std::sync::mpsc::channel();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(async move {
                let options =
                    espalier_server::Options { signature_window: None, ..espalier_server::Options::default() };
                let server = Server::bind(([127, 0, 0, 1], 0).into(), Arc::new(engine), options).expect("a free port");
                tell.send(server.local_addr()).expect("the test waits");
                let until = async {
                    let _ = stopped.await;
                };
                server.run(until).await.expect("the server stops in order");
            });
        });
        let address = told.recv().expect("the server starts");
        let connection = BufReader::new(TcpStream::connect(address).expect("the server listens"));
        connection.get_ref().set_nodelay(true).expect("a socket option");
        Self { stop: Some(stop), thread: Some(thread), connection, address }
    }

    fn call(&mut self, operation: &str, body: &[u8]) -> Answer {
        let prefix = match service(operation) {
            Service::DynamoDb => "DynamoDB_20120810",
            Service::Streams => "DynamoDBStreams_20120810",
        };
        let head = format!(
            "POST / HTTP/1.1\r\nhost: {}\r\ncontent-type: application/x-amz-json-1.0\r\nx-amz-target: {prefix}.{operation}\r\n\
             x-amz-date: 20260101T000000Z\r\nauthorization: AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/dynamodb/\
             aws4_request, SignedHeaders=host;x-amz-date;x-amz-target, Signature={}\r\ncontent-length: {}\r\n\r\n",
            self.address,
            "0".repeat(64),
            body.len()
        );
        let stream = self.connection.get_mut();
        stream.write_all(&[head.as_bytes(), body].concat()).expect("the server takes the request");
        self.answer()
    }

    fn answer(&mut self) -> Answer {
        let mut line = String::new();
        self.connection.read_line(&mut line).expect("an answer");
        let status = line.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status line");
        let mut length = 0;
        loop {
            line.clear();
            self.connection.read_line(&mut line).expect("a header");
            let Some((name, value)) = line.trim().split_once(':') else { break };
            if name.eq_ignore_ascii_case("content-length") {
                length = value.trim().parse().expect("a length");
            }
        }
        let mut body = vec![0; length];
        self.connection.read_exact(&mut body).expect("a body");
        Answer::new(status, &body)
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.connection.get_ref().shutdown(std::net::Shutdown::Both);
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
