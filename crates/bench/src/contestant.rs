//! Servers that take part: how each is started on a port and a folder, and its process.

use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::Error;
use crate::load::{Connection, block_on};

/// How long a server may take until its first answer.
const PATIENCE: Duration = Duration::from_secs(60);

/// Who takes part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Who {
    Durable,
    InMemory,
    Other,
    Bare,
    DynoxideFile,
    DynoxideMemory,
    LocalDisk,
    LocalMemory,
    DynaliteDisk,
}

impl Who {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Who::Durable => "espalier",
            Who::InMemory => "espalier in memory",
            Who::Other => "espalier, other",
            Who::Bare => "bare hyper",
            Who::DynoxideFile => "dynoxide, file",
            Who::DynoxideMemory => "dynoxide, memory",
            Who::LocalDisk => "DynamoDB Local, disk",
            Who::LocalMemory => "DynamoDB Local, memory",
            Who::DynaliteDisk => "dynalite, disk",
        }
    }
}

/// A server that can be started: a program and its arguments, in which `{port}` and `{folder}` are filled in.
#[derive(Debug, Clone)]
pub(crate) struct Contestant {
    pub(crate) who: Who,
    pub(crate) program: PathBuf,
    pub(crate) arguments: Vec<String>,
}

/// A started server. It is ended when dropped.
pub(crate) struct Running {
    pub(crate) who: Who,
    pub(crate) address: SocketAddr,
    pub(crate) first_answer: Duration,
    process: Child,
}

impl Contestant {
    pub(crate) fn new(who: Who, program: impl Into<PathBuf>, arguments: &[&str]) -> Self {
        let arguments = arguments.iter().map(|text| (*text).to_owned()).collect();
        Self { who, program: program.into(), arguments }
    }

    /// Starts the server and waits for its first answer to `question`.
    pub(crate) fn start(
        &self,
        folder: &Path,
        question: impl Fn(SocketAddr) -> Vec<u8>,
        log: &Path,
    ) -> Result<Running, Error> {
        let name = self.who.name();
        let address = free_address().map_err(Error::io("looking for a free port"))?;
        std::fs::create_dir_all(folder).map_err(Error::io(format!("making {}", folder.display())))?;
        let log_file = std::fs::File::create(log).map_err(Error::io(format!("making {}", log.display())))?;
        let (port, place) = (address.port().to_string(), folder.display().to_string());
        let arguments = self.arguments.iter().map(|text| text.replace("{port}", &port).replace("{folder}", &place));
        let question = question(address);
        let started = Instant::now();
        let process = Command::new(&self.program)
            .args(arguments)
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log_file)
            .spawn()
            .map_err(Error::io(format!("starting {}", self.program.display())))?;
        let mut running = Running { who: self.who, address, first_answer: Duration::ZERO, process };
        while !answers(address, &question) {
            let ended = running.process.try_wait().map_err(Error::io(format!("watching {name}")))?;
            if started.elapsed() > PATIENCE || ended.is_some() {
                return Err(Error::NotUp(format!("{name} (see {})", log.display()), started.elapsed()));
            }
            std::thread::sleep(Duration::from_micros(500));
        }
        running.first_answer = started.elapsed();
        Ok(running)
    }
}

fn free_address() -> std::io::Result<SocketAddr> {
    TcpListener::bind(("127.0.0.1", 0))?.local_addr()
}

fn answers(server: SocketAddr, question: &[u8]) -> bool {
    let asked = block_on(async {
        let mut connection = Connection::open(server).await.map_err(Error::io("connecting"))?;
        let answer = tokio::time::timeout(Duration::from_secs(10), connection.ask(question)).await;
        Ok(matches!(answer, Ok(Ok(answer)) if answer.status < 500))
    });
    asked.unwrap_or(false)
}

impl Running {
    /// Resident memory in megabytes.
    pub(crate) fn memory_mb(&self) -> Option<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        line.trim().trim_end_matches("kB").trim().parse::<f64>().ok().map(|kibibytes| kibibytes / 1024.0)
    }

    /// Processor time that the process has used so far.
    pub(crate) fn cpu_time(&self) -> Option<Duration> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.process.id())).ok()?;
        // The name may hold anything, so count from the bracket that ends it: then user and system time are the
        // 12th and 13th fields, in ticks.
        let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
        let mut ticks = || fields.next()?.parse::<u64>().ok();
        let ticks = ticks()? + ticks()?;
        Some(Duration::from_millis(ticks * 1000 / rustix::param::clock_ticks_per_second()))
    }

    /// Asks the process to end and waits until it has.
    pub(crate) fn stop(mut self) -> Result<(), Error> {
        self.end(Signal::TERM);
        let deadline = Instant::now() + Duration::from_secs(20);
        while Instant::now() < deadline {
            if self.process.try_wait().map_err(Error::io("waiting for a server to end"))?.is_some() {
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        Ok(())
    }

    /// Ends the process without warning.
    pub(crate) fn kill(mut self) -> Result<(), Error> {
        self.process.kill().and_then(|()| self.process.wait()).map(drop).map_err(Error::io("killing a server"))
    }

    fn end(&self, signal: Signal) {
        let id = i32::try_from(self.process.id()).ok().and_then(Pid::from_raw);
        if let Some(id) = id {
            // It may have ended by itself.
            let _ = kill_process(id, signal);
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if matches!(self.process.try_wait(), Ok(None)) {
            let _ = self.process.kill();
            let _ = self.process.wait();
        }
    }
}
