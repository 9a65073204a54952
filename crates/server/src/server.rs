//! The listening socket: binding, accepting, refusing when full, and stopping in order.

use std::future::poll_fn;
use std::io;
use std::net::{SocketAddr, TcpListener as StdListener};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use espalier_dynamo::Dynamo;
use socket2::{Domain, Protocol, Socket, Type};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::authorization::Window;
use crate::body::Collector;
use crate::connection::Register;
use crate::dynamodb::DynamoDb;
use crate::endpoint::Endpoint;
use crate::guard::Guard;
use crate::options::{Options, Workers};
use crate::worker::Pool;

/// Connections that may wait to be accepted.
const BACKLOG: i32 = 1024;

/// How many connections are told at one moment that the house is full.
const WAITING_ROOM: usize = 64;

/// What a connection hears when the house is full.
const FULL: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\nretry-after: 1\r\ncontent-length: 0\r\n\r\n";

/// Why a server could not start.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Somebody else listens there.
    #[error("{0} is already in use")]
    AddressInUse(SocketAddr),
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {source}")]
    Bind {
        /// The address.
        address: SocketAddr,
        /// Why not.
        source: io::Error,
    },
    /// Threads or runtimes could not be started.
    #[error("cannot start to serve: {0}")]
    Start(#[source] io::Error),
}

impl Error {
    fn from_bind(address: SocketAddr, source: io::Error) -> Self {
        match source.kind() {
            io::ErrorKind::AddrInUse => Error::AddressInUse(address),
            _ => Error::Bind { address, source },
        }
    }
}

/// A bound server.
pub struct Server {
    listeners: Vec<StdListener>,
    address: SocketAddr,
    endpoint: Arc<Endpoint>,
    options: Options,
}

impl Server {
    /// Listens on an address; port 0 takes a free one. Nothing is answered before [`Server::run`].
    pub fn bind(address: SocketAddr, dynamo: Arc<dyn Dynamo>, options: Options) -> Result<Self, Error> {
        let listener = listen(address).map_err(|source| Error::from_bind(address, source))?;
        let address = listener.local_addr().map_err(Error::Start)?;
        let endpoint = Arc::new(Endpoint {
            guard: Guard::new(&options.allowed_hosts, &options.allowed_origins, address.ip()),
            bodies: Collector::new(options.body_timeout),
            dynamodb: DynamoDb { dynamo, window: Window { now: options.now, tolerance: options.signature_window } },
            compress: options.compress,
        });
        Ok(Self { listeners: vec![listener], address, endpoint, options })
    }

    /// Listens on one more address, such as the other loopback address of the machine.
    pub fn also_listen(&mut self, address: SocketAddr) -> Result<(), Error> {
        self.listeners.push(listen(address).map_err(|source| Error::from_bind(address, source))?);
        Ok(())
    }

    /// Where it listens.
    #[must_use]
    pub fn local_addr(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `shutdown` is ready; then stops accepting, lets requests in flight finish, and returns.
    pub async fn run(self, shutdown: impl Future<Output = ()>) -> Result<(), Error> {
        let Self { listeners, endpoint, options, .. } = self;
        let listeners = listeners.into_iter().map(TcpListener::from_std).collect::<io::Result<Vec<_>>>();
        let listeners = listeners.map_err(Error::Start)?;
        let mut pool = match options.workers {
            Workers::Ambient => Pool::Ambient,
            Workers::Own(count) => Pool::own(count, &endpoint).map_err(Error::Start)?,
        };
        let register = Register::new(&options);
        let waiting_room = Arc::new(Semaphore::new(WAITING_ROOM));
        {
            let (mut shutdown, mut sweeping) = (pin!(shutdown), pin!(register.sweep()));
            loop {
                tokio::select! {
                    biased;
                    () = &mut shutdown => break,
                    () = &mut sweeping => {}
                    stream = accept(&listeners) => match register.enter() {
                        Some(place) => pool.serve(stream, place, &endpoint),
                        // Beyond that many who are being told, the others are just closed.
                        None => if let Ok(seat) = waiting_room.clone().try_acquire_owned() {
                            tokio::spawn(refuse(stream, seat));
                        },
                    },
                }
            }
        }
        drop(listeners);
        let cut = register.drain(options.drain_timeout).await;
        if cut > 0 {
            tracing::warn!(cut, "connections were cut at shutdown");
        } else {
            pool.join();
        }
        Ok(())
    }
}

fn listen(address: SocketAddr) -> io::Result<StdListener> {
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, Some(Protocol::TCP))?;
    // A restart must not wait for connections of the previous process to be forgotten.
    #[cfg(unix)]
    socket.set_reuse_address(true)?;
    socket.bind(&address.into())?;
    socket.listen(BACKLOG)?;
    socket.set_nonblocking(true)?;
    Ok(socket.into())
}

/// The next connection. Failures are those of one connection, or a lack of something that may come back.
async fn accept(listeners: &[TcpListener]) -> TcpStream {
    loop {
        let next = poll_fn(|context| {
            let accepted = listeners.iter().map(|listener| listener.poll_accept(context));
            accepted.into_iter().find(Poll::is_ready).unwrap_or(Poll::Pending)
        });
        match next.await {
            Ok((stream, _)) => {
                // Small answers must not wait for an acknowledgement of the previous one.
                if let Err(error) = stream.set_nodelay(true) {
                    tracing::debug!(%error, "a connection was gone before it began");
                }
                return stream;
            }
            Err(error) => {
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
    }
}

/// Says that the house is full, and waits a moment for the client to hear it: closing at once would take back what
/// was said if the client's request is still unread.
async fn refuse(mut stream: TcpStream, _seat: OwnedSemaphorePermit) {
    let farewell = async {
        stream.write_all(FULL).await?;
        stream.shutdown().await?;
        let mut ignored = [0; 4096];
        while stream.read(&mut ignored).await? > 0 {}
        io::Result::Ok(())
    };
    if let Ok(Err(error)) = tokio::time::timeout(Duration::from_secs(1), farewell).await {
        tracing::debug!(%error, "a refused connection did not hear why");
    }
}
