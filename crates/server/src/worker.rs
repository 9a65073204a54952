//! Threads with a runtime of their own, among which connections are dealt out in turn: no connection ever moves
//! between threads, and every thread has its share.

use std::io;
use std::net::TcpStream;
use std::sync::Arc;
use std::thread::JoinHandle;

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use crate::connection::{self, Place};
use crate::endpoint::Endpoint;

/// Where accepted connections go.
pub(crate) enum Pool {
    /// To the runtime that accepts them.
    Ambient,
    /// To threads of their own.
    Own { workers: Vec<Worker>, turn: usize },
}

pub(crate) struct Worker {
    inbox: UnboundedSender<(TcpStream, Place)>,
    thread: JoinHandle<()>,
}

impl Pool {
    pub(crate) fn own(count: usize, endpoint: &Arc<Endpoint>) -> io::Result<Self> {
        let workers = (0..count.max(1)).map(|number| Worker::start(number, endpoint.clone()));
        Ok(Pool::Own { workers: workers.collect::<io::Result<_>>()?, turn: 0 })
    }

    /// Hands a connection to whoever is next.
    pub(crate) fn serve(&mut self, stream: tokio::net::TcpStream, place: Place, endpoint: &Arc<Endpoint>) {
        match self {
            Pool::Ambient => {
                tokio::spawn(connection::serve(stream, place, endpoint.clone()));
            }
            Pool::Own { workers, turn } => {
                *turn = (*turn + 1) % workers.len();
                match stream.into_std() {
                    // A worker that is gone drops the connection, which closes it.
                    Ok(stream) => drop(workers[*turn].inbox.send((stream, place))),
                    Err(error) => tracing::warn!(%error, "a connection could not be handed over"),
                }
            }
        }
    }

    /// Waits for the threads to end; their connections have ended before.
    pub(crate) fn join(self) {
        if let Pool::Own { workers, .. } = self {
            for worker in workers {
                drop(worker.inbox);
                if worker.thread.join().is_err() {
                    tracing::error!("a worker thread panicked");
                }
            }
        }
    }
}

impl Worker {
    fn start(number: usize, endpoint: Arc<Endpoint>) -> io::Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let (inbox, connections) = unbounded_channel();
        let thread = std::thread::Builder::new()
            .name(format!("worker-{number}"))
            .spawn(move || runtime.block_on(work(connections, endpoint)))?;
        Ok(Self { inbox, thread })
    }
}

async fn work(mut connections: UnboundedReceiver<(TcpStream, Place)>, endpoint: Arc<Endpoint>) {
    while let Some((stream, place)) = connections.recv().await {
        match tokio::net::TcpStream::from_std(stream) {
            Ok(stream) => drop(tokio::spawn(connection::serve(stream, place, endpoint.clone()))),
            Err(error) => tracing::warn!(%error, "a connection could not be taken over"),
        }
    }
}
