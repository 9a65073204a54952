//! The benchmark: Espalier, durable and in memory, beside every peer that is installed and a bare HTTP server, in
//! one run on one machine, in interleaved rounds.
//!
//! ```text
//! cargo run --release -p espalier-bench -- setup-peers     once; installs peers into a cache folder
//! cargo run --release -p espalier-bench -- --quick         a first impression
//! cargo run --release -p espalier-bench -- --markdown bench.md
//! ```
//!
//! `options` says what to run, `contestant` starts and stops the servers, `peer` finds and installs the others,
//! `workload` builds requests, `load` sends them, `start` measures starting and memory, `goal` judges, `report`
//! prints.

mod bare;
mod contestant;
mod goal;
mod load;
mod options;
mod output;
mod peer;
mod report;
mod run;
mod start;
mod workload;

use std::process::ExitCode;

use clap::Parser;

use crate::options::{Command, Options};

/// Why a benchmark could not be run.
#[derive(Debug, thiserror::Error)]
enum Error {
    /// Files, sockets and processes.
    #[error("{doing}: {source}")]
    Io {
        /// What was being done.
        doing: String,
        /// What went wrong.
        source: std::io::Error,
    },
    /// A server did not come up.
    #[error("{0} did not answer within {1:?} of its start")]
    NotUp(String, std::time::Duration),
    /// A server answered something else than success.
    #[error("{who} answered {status}: {body}")]
    Refused {
        /// Which server.
        who: String,
        /// Its status.
        status: u16,
        /// Its answer.
        body: String,
    },
    /// A command that builds or installs something failed.
    #[error("`{0}` failed")]
    Command(String),
    /// The binary under test is not there.
    #[error("there is no {0}; build it with `cargo build --release -p espalier`, or name it with --espalier")]
    NoBinary(std::path::PathBuf),
}

impl Error {
    fn io(doing: impl Into<String>) -> impl FnOnce(std::io::Error) -> Self {
        let doing = doing.into();
        move |source| Self::Io { doing, source }
    }
}

fn main() -> ExitCode {
    let options = Options::parse();
    let outcome = match &options.command {
        Some(Command::SetupPeers) => peer::set_up(&options.peer_folder()),
        Some(Command::Bare { port, size }) => bare::serve(*port, *size),
        None => run::run(&options),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            output::error(&error);
            ExitCode::FAILURE
        }
    }
}
