//! Why a command ended: what happened, what to do next, and the exit code for programs.

use std::io;
use std::net::{IpAddr, SocketAddr};

use espalier_dynamo::Error as Fault;
use espalier_server::Error as ServerError;
use espalier_store::Error as StoreError;

/// Why a command ended.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// Safe by default.
    #[error(
        "{0} can be reached from other machines, and credentials and TLS are not offered yet, so everybody on that \
         network could read and change the data. Listen on 127.0.0.1, or add --allow-remote if you trust the network"
    )]
    Remote(IpAddr),
    /// Not an address.
    #[error("--host {host}: {source}. Give an IP address, such as 127.0.0.1, or localhost")]
    Host {
        /// What was given.
        host: String,
        /// Why it is none.
        source: io::Error,
    },
    /// Somebody else listens there.
    #[error("{0} is already in use: stop the other process, or choose another port with --port (0 takes a free one)")]
    Port(SocketAddr),
    /// The server could not start.
    #[error("{0}")]
    Server(#[source] ServerError),
    /// The data folder could not be opened.
    #[error("cannot open the data folder: {0}")]
    Store(#[source] StoreError),
    /// The database failed.
    #[error("{}", told(.0))]
    Engine(Fault),
    /// The system refused something.
    #[error("cannot {doing}: {source}")]
    Io {
        /// What was being done.
        doing: &'static str,
        /// Why not.
        source: io::Error,
    },
}

impl Failure {
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Failure::Remote(_) | Failure::Host { .. } => 2,
            Failure::Store(StoreError::Locked { .. }) => 3,
            Failure::Port(_) => 4,
            Failure::Server(_) | Failure::Store(_) | Failure::Engine(_) | Failure::Io { .. } => 1,
        }
    }

    pub(crate) fn io(doing: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { doing, source }
    }
}

impl From<ServerError> for Failure {
    fn from(error: ServerError) -> Self {
        match error {
            ServerError::AddressInUse(address) => Failure::Port(address),
            other => Failure::Server(other),
        }
    }
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        Failure::Engine(fault)
    }
}

/// Clients hear little about faults of ours; whoever runs the database hears it all.
fn told(fault: &Fault) -> String {
    match fault {
        Fault::Internal { detail } => detail.clone(),
        other => other.to_string(),
    }
}
