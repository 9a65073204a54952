//! A DynamoDB that does what the tests need, and a server around it.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use espalier_dynamo::operation::table::ListTablesOutput;
use espalier_dynamo::{Answer, Dynamo, Error, Operation, Response};
use espalier_server::{Options, Server, Workers};
use tokio::sync::oneshot;

/// Lists as many tables as asked for; some table names have side effects.
#[derive(Default)]
pub(crate) struct Fake {
    pub(crate) executed: AtomicUsize,
}

impl Dynamo for Fake {
    fn execute(&self, operation: Operation) -> Answer<'_> {
        self.executed.fetch_add(1, Ordering::SeqCst);
        Box::pin(async move {
            match operation {
                Operation::ListTables(request) => {
                    let count = request.limit.unwrap_or(0);
                    let table_names = (0..count).map(|number| format!("table-{number:0>100}")).collect();
                    Ok(Response::ListTables(ListTablesOutput { table_names, ..Default::default() }))
                }
                Operation::DescribeTable(request) if request.table_name == "panic" => panic!("as the test asked for"),
                Operation::DescribeTable(request) if request.table_name == "slow" => {
                    tokio::time::sleep(Duration::from_millis(400)).await;
                    Ok(Response::ListTables(ListTablesOutput::default()))
                }
                _ => Err(Error::internal("the fake does not know this")),
            }
        })
    }
}

/// 2013-06-09T10:00:15Z, whenever the test runs.
pub(crate) const DATE: &str = "20130609T100015Z";
const NOW: i64 = 1_370_772_015;

/// A server in this process.
pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    pub(crate) fake: Arc<Fake>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

pub(crate) fn start() -> Running {
    start_with(|_| {})
}

pub(crate) fn start_with(change: impl FnOnce(&mut Options)) -> Running {
    let mut options = Options { now: || NOW, ..Options::default() };
    change(&mut options);
    let fake = Arc::new(Fake::default());
    let server = Server::bind(([127, 0, 0, 1], 0).into(), fake.clone(), options.clone()).expect("a free port");
    let address = server.local_addr();
    let (stop, stopped) = oneshot::channel();
    let mut runtime = match options.workers {
        Workers::Ambient => tokio::runtime::Builder::new_multi_thread(),
        Workers::Own(_) => tokio::runtime::Builder::new_current_thread(),
    };
    let runtime = runtime.worker_threads(2).enable_all().build().expect("a runtime");
    let thread = std::thread::spawn(move || {
        let shutdown = async { stopped.await.unwrap_or_default() };
        runtime.block_on(server.run(shutdown)).expect("served");
    });
    Running { address, fake, stop: Some(stop), thread: Some(thread) }
}

impl Running {
    pub(crate) fn executed(&self) -> usize {
        self.fake.executed.load(Ordering::SeqCst)
    }

    /// Asks the server to stop, without waiting.
    pub(crate) fn ask_to_stop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
    }

    /// Asks the server to stop, and waits until it has.
    pub(crate) fn stop(&mut self) {
        self.ask_to_stop();
        if let Some(thread) = self.thread.take() {
            thread.join().expect("the server ended in order");
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.ask_to_stop();
    }
}
