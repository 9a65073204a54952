//! The real binary as a child process, and a client for it.

#![allow(dead_code, reason = "each test file uses its part")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

/// The command, without settings of whoever runs the tests.
pub(crate) fn espalier() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_espalier"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("ESPALIER_")) {
        command.env_remove(name);
    }
    command
}

/// Runs it to its end: exit code and standard error.
pub(crate) fn run(arguments: &[&str]) -> (Option<i32>, String) {
    let output = espalier().args(arguments).output().expect("the command runs");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// A server in a process of its own; killed when dropped.
pub(crate) struct Running {
    child: Child,
    pub(crate) address: SocketAddr,
    pub(crate) greeting: String,
}

impl Running {
    /// `espalier serve` on a free port.
    pub(crate) fn start(arguments: &[&str]) -> Self {
        Self::start_in(&std::env::temp_dir(), arguments)
    }

    /// The same, in a folder.
    pub(crate) fn start_in(folder: &Path, arguments: &[&str]) -> Self {
        let mut command = espalier();
        command.current_dir(folder).args(["serve", "--port", "0"]).args(arguments);
        Self::spawn(command)
    }

    /// Starts a command and waits for its greeting.
    pub(crate) fn spawn(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the command starts");
        let mut greeting = String::new();
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe"));
        lines.read_line(&mut greeting).expect("a greeting");
        let address = greeting.split("http://").nth(1).and_then(|rest| rest.split([' ', '\n']).next());
        let address = address.and_then(|text| text.parse().ok());
        let Some(address) = address else {
            let mut errors = String::new();
            child.stderr.take().expect("a pipe").read_to_string(&mut errors).expect("read");
            panic!("no address in {greeting:?}; {errors}");
        };
        Self { child, address, greeting }
    }

    /// SIGTERM: exit code and standard error.
    pub(crate) fn stop(mut self) -> (Option<i32>, String) {
        let id = Pid::from_raw(i32::try_from(self.child.id()).expect("a process id")).expect("a process id");
        kill_process(id, Signal::TERM).expect("signalled");
        let status = self.child.wait().expect("the process ends");
        let mut errors = String::new();
        self.child.stderr.take().expect("a pipe").read_to_string(&mut errors).expect("read");
        (status.code(), errors)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A keep-alive connection.
pub(crate) struct Socket(TcpStream);

impl Socket {
    pub(crate) fn open(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).expect("the server listens");
        stream.set_read_timeout(Some(Duration::from_secs(10))).expect("a timeout");
        Self(stream)
    }

    /// Sends ListTables and returns the whole answer.
    pub(crate) fn list_tables(&mut self) -> String {
        self.call("ListTables", "{}").expect("an answer")
    }

    /// Sends a request and returns the whole answer, head and body; fails when the server is gone.
    pub(crate) fn call(&mut self, operation: &str, body: &str) -> std::io::Result<String> {
        let now = jiff::Timestamp::now().strftime("%Y%m%dT%H%M%SZ").to_string();
        let request = format!(
            "POST / HTTP/1.1\r\nHost: localhost\r\nX-Amz-Target: DynamoDB_20120810.{operation}\r\nX-Amz-Date: {now}\r\n\
             Content-Type: application/x-amz-json-1.0\r\nAuthorization: AWS4-HMAC-SHA256 \
             Credential=key/{}/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date, Signature=0a\r\n\
             Content-Length: {}\r\n\r\n{body}",
            &now[..8],
            body.len(),
        );
        self.0.write_all(request.as_bytes())?;
        let mut answer = String::new();
        let mut piece = [0; 4096];
        while !is_whole(&answer) {
            let count = self.0.read(&mut piece)?;
            if count == 0 {
                return Err(std::io::ErrorKind::UnexpectedEof.into());
            }
            answer.push_str(&String::from_utf8_lossy(&piece[..count]));
        }
        Ok(answer)
    }
}

/// Whether head and body are there.
fn is_whole(answer: &str) -> bool {
    let Some((head, body)) = answer.split_once("\r\n\r\n") else { return false };
    let length = head.lines().find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length: ")?.parse().ok());
    body.len() >= length.unwrap_or(0)
}
