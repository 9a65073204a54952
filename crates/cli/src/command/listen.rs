//! Listening and stopping, for every command that serves.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs};
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, ValueEnum};
use espalier_dynamo::Dynamo;
use espalier_engine::Engine;
use espalier_server::{Options, Server, Workers};
use tokio::runtime::{Builder, Runtime};

use crate::failure::Failure;
use crate::output;

/// How a command serves.
#[derive(Debug, Args)]
pub(crate) struct Listen {
    /// The address to listen on.
    #[arg(long, env = "ESPALIER_HOST", default_value = "127.0.0.1")]
    host: String,
    /// The port to listen on; 0 takes a free one.
    #[arg(long, short, env = "ESPALIER_PORT")]
    pub(crate) port: Option<u16>,
    /// The region that ARNs and the health line name; credentials of any region are accepted.
    #[arg(long, env = "ESPALIER_REGION", default_value = "us-east-1")]
    pub(crate) region: String,
    /// Listen on an address that other machines can reach, although nobody is asked for valid credentials yet.
    #[arg(long, env = "ESPALIER_ALLOW_REMOTE")]
    allow_remote: bool,
    /// Also answer requests for this host name (can be repeated; `*` for all).
    #[arg(long, env = "ESPALIER_ALLOW_HOST", value_name = "NAME", value_delimiter = ',')]
    allow_host: Vec<String>,
    /// Let web pages of this origin call, such as http://localhost:3000 (can be repeated; `*` for all).
    #[arg(long, env = "ESPALIER_ALLOW_ORIGIN", value_name = "ORIGIN", value_delimiter = ',')]
    allow_origin: Vec<String>,
    /// Accept signatures of any date, for tests with a clock of their own.
    #[arg(long, env = "ESPALIER_ANY_DATE")]
    any_date: bool,
    /// Threads that serve; all cores unless said.
    #[arg(long, env = "ESPALIER_THREADS", value_name = "COUNT")]
    threads: Option<usize>,
    /// How threads share connections.
    #[arg(long, env = "ESPALIER_RUNTIME", value_enum, default_value_t = Sharing::Shared, hide_short_help = true)]
    runtime: Sharing,
    /// Connections that may be open at once; more are refused with 503.
    #[arg(long, env = "ESPALIER_MAX_CONNECTIONS", default_value_t = 4096, value_name = "COUNT")]
    max_connections: usize,
}

/// How threads share connections.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Sharing {
    /// Any thread works on any connection.
    Shared,
    /// Every connection stays on one thread.
    Pinned,
}

/// The port when nobody says.
pub(crate) const DEFAULT_PORT: u16 = 8000;

/// A server on its port, before it answers anything.
pub(crate) struct Ready {
    runtime: Runtime,
    signals: Signals,
    pub(crate) server: Server,
    pub(crate) engine: Engine,
}

impl Listen {
    /// Takes the port, unless that is unsafe, and serves that database on it once asked to.
    pub(crate) fn bind(&self, port: u16, engine: Engine) -> Result<Ready, Failure> {
        let address = SocketAddr::new(self.address()?, port);
        let runtime = self.runtime()?;
        // Signals are heard before anybody is told that the server is there.
        let signals = runtime.block_on(async { Signals::new() })?;
        let dynamo: Arc<dyn Dynamo> = Arc::new(engine.clone());
        let mut server = Server::bind(address, dynamo, self.options())?;
        if address.ip() == Ipv4Addr::LOCALHOST {
            // Some clients look for `localhost` on IPv6 first. Without IPv6 there is nothing to miss.
            let twin = SocketAddr::new(Ipv6Addr::LOCALHOST.into(), server.local_addr().port());
            if let Err(error) = server.also_listen(twin) {
                tracing::debug!(%error, "IPv6 is left out");
            }
        }
        Ok(Ready { runtime, signals, server, engine })
    }

    /// The address, if it is safe to listen there.
    pub(crate) fn address(&self) -> Result<IpAddr, Failure> {
        let host = || self.host.clone();
        let mut found = (self.host.as_str(), 0)
            .to_socket_addrs()
            .map_err(|source| Failure::Host { host: host(), source })?
            .map(|address| address.ip());
        let address = found.clone().find(IpAddr::is_ipv4).or_else(|| found.next());
        let address = address
            .ok_or_else(|| Failure::Host { host: host(), source: std::io::Error::other("the name has no address") })?;
        if address.is_loopback() {
            return Ok(address);
        }
        if !self.allow_remote {
            return Err(Failure::Remote(address));
        }
        output::warning(format!(
            "{address} can be reached from other machines, and any credentials are accepted: everybody on that \
             network can read and change the data"
        ));
        Ok(address)
    }

    fn options(&self) -> Options {
        let defaults = Options::default();
        Options {
            allowed_hosts: self.allow_host.clone(),
            allowed_origins: self.allow_origin.clone(),
            max_connections: self.max_connections,
            signature_window: if self.any_date { None } else { defaults.signature_window },
            workers: match self.runtime {
                Sharing::Shared => Workers::Ambient,
                Sharing::Pinned => Workers::Own(self.thread_count()),
            },
            ..defaults
        }
    }

    fn thread_count(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        self.threads.unwrap_or_else(cores).max(1)
    }

    fn runtime(&self) -> Result<Runtime, Failure> {
        let mut builder = match (self.runtime, self.thread_count()) {
            (Sharing::Pinned, _) | (Sharing::Shared, 1) => Builder::new_current_thread(),
            (Sharing::Shared, count) => {
                let mut builder = Builder::new_multi_thread();
                builder.worker_threads(count);
                builder
            }
        };
        builder.enable_all().build().map_err(Failure::io("start threads"))
    }
}

impl Ready {
    /// Where clients find it.
    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.server.local_addr())
    }

    /// Runs something beside the server, before it serves.
    pub(crate) fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        self.runtime.block_on(future)
    }

    /// Serves until the process is asked to end; then finishes what is in flight and closes the database.
    pub(crate) fn serve(self) -> Result<(), Failure> {
        let Self { runtime, mut signals, server, engine } = self;
        runtime.block_on(async {
            let (stop, stopped) = tokio::sync::oneshot::channel();
            let serving = server.run(async { stopped.await.unwrap_or_default() });
            tokio::pin!(serving);
            tokio::select! {
                served = &mut serving => return served.map_err(Failure::from),
                () = signals.next() => {}
            }
            let _ = stop.send(());
            tokio::select! {
                served = &mut serving => served.map_err(Failure::from),
                // Whoever asks twice does not want to wait. What was acknowledged is on disk all the same.
                () = signals.next() => Ok(()),
            }
        })?;
        runtime.shutdown_timeout(Duration::from_secs(1));
        engine.close()?;
        Ok(())
    }
}

/// The wishes to end: Ctrl-C, and what service managers send.
struct Signals {
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
}

impl Signals {
    #[cfg(unix)]
    fn new() -> Result<Self, Failure> {
        use tokio::signal::unix::{SignalKind, signal};
        let listen = |kind| signal(kind).map_err(Failure::io("listen for signals"));
        Ok(Self { interrupt: listen(SignalKind::interrupt())?, terminate: listen(SignalKind::terminate())? })
    }

    #[cfg(unix)]
    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }

    #[cfg(not(unix))]
    fn new() -> Result<Self, Failure> {
        Ok(Self {})
    }

    #[cfg(not(unix))]
    async fn next(&mut self) {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
