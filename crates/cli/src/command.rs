//! The commands, one file each.

mod database;
mod demo;
mod listen;
mod serve;

use clap::Subcommand;

use crate::failure::Failure;

/// What `espalier` can do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Serves DynamoDB's API to any AWS SDK, from a data folder or from memory.
    Serve(serve::Serve),
    /// Shows what it can do on a small shop, then serves that.
    Demo(demo::Demo),
}

impl Command {
    pub(crate) fn run(self) -> Result<(), Failure> {
        match self {
            Command::Serve(serve) => serve.run(),
            Command::Demo(demo) => demo.run(),
        }
    }
}
