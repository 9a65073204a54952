//! Which data a command works on.

use std::path::{Path, PathBuf};

use clap::Args;
use espalier_engine::{Engine, Options};
use espalier_store::Store;

use crate::failure::Failure;

/// Where data lives.
#[derive(Debug, Args)]
pub(crate) struct Place {
    /// The folder that holds the data; made if it is not there.
    #[arg(long, env = "ESPALIER_DATA_DIR", value_name = "DIR", conflicts_with = "in_memory")]
    pub(crate) data_dir: Option<PathBuf>,
    /// Keep everything in memory, and forget it at the end.
    #[arg(long, env = "ESPALIER_IN_MEMORY")]
    pub(crate) in_memory: bool,
}

/// Where data lives when nobody says.
const DEFAULT_FOLDER: &str = "espalier-data";

impl Place {
    /// The folder, or `None` for memory.
    pub(crate) fn folder(&self) -> Option<&Path> {
        if self.in_memory { None } else { Some(self.data_dir.as_deref().unwrap_or(Path::new(DEFAULT_FOLDER))) }
    }
}

/// Opens the database.
pub(crate) fn open(folder: Option<&Path>, region: &str) -> Result<Engine, Failure> {
    let options = Options { region: region.to_owned(), ..Options::default() };
    let store = match folder {
        Some(folder) => Store::open(folder, options.store.clone()),
        None => Store::in_memory(options.store.clone()),
    };
    Ok(Engine::on(store.map_err(Failure::Store)?, options)?)
}
