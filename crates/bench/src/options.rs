//! What to run.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Parser, Subcommand};

use crate::workload::Workload;

/// Measures Espalier beside other local DynamoDBs.
#[derive(Debug, Parser)]
#[command(name = "espalier-bench")]
pub(crate) struct Options {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    /// One short round at 64 connections.
    #[arg(long)]
    pub(crate) quick: bool,
    /// Seconds per measurement.
    #[arg(long, default_value_t = 2.0)]
    seconds: f64,
    /// Rounds; medians are reported.
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// Numbers of connections.
    #[arg(long, value_delimiter = ',', default_values_t = [1, 16, 64])]
    connections: Vec<usize>,
    /// Only these workloads.
    #[arg(long, value_delimiter = ',', value_enum)]
    workloads: Vec<Workload>,
    /// Only these peers, by the start of their names; `none` for no peer.
    #[arg(long, value_delimiter = ',')]
    pub(crate) peers: Vec<String>,
    /// Where peers are installed.
    #[arg(long, env = "ESPALIER_PEERS")]
    peer_folder: Option<PathBuf>,
    /// The binary under test, instead of the one this workspace builds.
    #[arg(long)]
    pub(crate) espalier: Option<PathBuf>,
    /// Further arguments for `espalier serve`.
    #[arg(long, value_delimiter = ' ', allow_hyphen_values = true)]
    pub(crate) serve_args: Vec<String>,
    /// Also run a second, durable `espalier serve` with these arguments, to compare two settings.
    #[arg(long, value_delimiter = ' ', allow_hyphen_values = true)]
    pub(crate) other_args: Option<Vec<String>>,
    /// Also run this other binary, to compare two builds.
    #[arg(long)]
    pub(crate) other_espalier: Option<PathBuf>,
    /// Where data is put while measuring: a folder on a real disk.
    #[arg(long)]
    data_folder: Option<PathBuf>,
    /// Items for the reopening test; 0 leaves it out.
    #[arg(long, default_value_t = 300_000)]
    reopen_items: usize,
    /// Leave out cold start, reopening and memory.
    #[arg(long)]
    pub(crate) no_starts: bool,
    /// Also write the report to this file.
    #[arg(long)]
    pub(crate) markdown: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Installs dynoxide, dynalite and DynamoDB Local into the peer folder (needs cargo, npm and Java 17).
    SetupPeers,
    /// Serves a fixed answer: what HTTP alone costs.
    #[command(hide = true)]
    Bare { port: u16, size: usize },
}

impl Options {
    pub(crate) fn duration(&self) -> Duration {
        Duration::from_secs_f64(if self.quick { self.seconds.min(0.7) } else { self.seconds }.clamp(0.05, 600.0))
    }

    pub(crate) fn rounds(&self) -> usize {
        if self.quick { 1 } else { self.rounds.clamp(1, 99) }
    }

    pub(crate) fn connections(&self) -> Vec<usize> {
        if self.quick { vec![64] } else { self.connections.iter().map(|count| (*count).clamp(1, 1000)).collect() }
    }

    pub(crate) fn workloads(&self) -> Vec<Workload> {
        if self.workloads.is_empty() { Workload::ALL.to_vec() } else { self.workloads.clone() }
    }

    pub(crate) fn reopen_items(&self) -> usize {
        if self.quick { self.reopen_items.min(50_000) } else { self.reopen_items }
    }

    pub(crate) fn wants_peer(&self, name: &str) -> bool {
        self.peers.is_empty() || self.peers.iter().any(|wanted| name.starts_with(wanted.as_str()))
    }

    pub(crate) fn peer_folder(&self) -> PathBuf {
        self.peer_folder.clone().unwrap_or_else(|| build_folder().join("peers"))
    }

    pub(crate) fn data_folder(&self) -> PathBuf {
        self.data_folder.clone().unwrap_or_else(build_folder)
    }
}

/// The folder of this program: on the disk that the workspace is built on, where the temporary folder of the system
/// may be memory.
pub(crate) fn build_folder() -> PathBuf {
    let program = std::env::current_exe().unwrap_or_default();
    program.parent().map_or_else(std::env::temp_dir, PathBuf::from)
}
