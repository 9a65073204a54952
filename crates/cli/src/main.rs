//! The `espalier` command.

mod command;
mod failure;
mod output;

use std::process::ExitCode;

use clap::Parser;

use crate::command::Command;

/// DynamoDB on your machine: durable, fast, in one binary.
///
/// Exit codes: 0 done; 1 something failed; 2 the command line is wrong or refused; 3 the data folder is in use by
/// another process; 4 the port is in use.
#[derive(Debug, Parser)]
#[command(name = "espalier", version, verbatim_doc_comment)]
struct Espalier {
    #[command(subcommand)]
    command: Command,
    /// What to log to standard error: off, error, warn, info, debug or trace.
    #[arg(long, global = true, env = "ESPALIER_LOG", default_value = "warn", value_name = "LEVEL")]
    log: tracing::level_filters::LevelFilter,
}

fn main() -> ExitCode {
    let espalier = Espalier::parse();
    tracing_subscriber::fmt().with_max_level(espalier.log).with_writer(std::io::stderr).init();
    match espalier.command.run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            output::failure(&failure);
            ExitCode::from(failure.exit_code())
        }
    }
}
