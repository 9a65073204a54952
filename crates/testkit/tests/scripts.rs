//! Golden scripts of `crates/engine/testscripts`, run in memory, on disk and over HTTP.
//!
//! `SCRIPT=put_item` runs those whose path contains the text; `UPDATE_SCRIPTS=1` rewrites their answers.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use espalier_testkit::script::{Mode, Script, run};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../engine/testscripts")
}

fn scripts() -> Vec<PathBuf> {
    let wanted = env::var("SCRIPT").unwrap_or_default();
    let mut found = Vec::new();
    let mut folders = vec![folder()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of scripts") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|kind| kind == "txt") && path.to_string_lossy().contains(&wanted) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn check(mode: Mode) {
    let update = env::var_os("UPDATE_SCRIPTS").is_some() && mode == Mode::Memory;
    let scripts = scripts();
    assert!(!scripts.is_empty(), "there are no scripts");
    let mut wrong = Vec::new();
    for path in scripts {
        let name = path.strip_prefix(folder()).expect("below the folder").display().to_string();
        let text = fs::read_to_string(&path).expect("a script");
        let mut script = match Script::parse(&text) {
            Ok(script) if script.has_header() => script,
            Ok(_) => {
                wrong.push(format!("{name}: the first line must say what is shown, another `# source: …`"));
                continue;
            }
            Err(error) => {
                wrong.push(format!("{name}: {error}"));
                continue;
            }
        };
        for failure in run(&mut script, mode, update) {
            wrong.push(format!("{name}:{}: {}", failure.line, failure.text));
        }
        if update && script.text() != text {
            fs::write(&path, script.text()).expect("the script is written");
        }
    }
    assert!(wrong.is_empty(), "{mode:?}: {} wrong\n\n{}", wrong.len(), wrong.join("\n\n"));
}

#[test]
fn in_memory() {
    check(Mode::Memory);
}

#[test]
fn on_disk() {
    check(Mode::Disk);
}

#[test]
fn over_http() {
    check(Mode::Http);
}

#[test]
fn every_operation_has_a_script() {
    let texts: Vec<String> = scripts().iter().map(|path| fs::read_to_string(path).expect("a script")).collect();
    let wanted = |name: &&&str| !texts.iter().any(|text| text.contains(&format!("> {name} ")));
    let without: Vec<&&str> = espalier_dynamo::Operation::NAMES.iter().filter(wanted).collect();
    assert!(env::var_os("SCRIPT").is_some() || without.is_empty(), "operations without a script: {without:?}");
}
