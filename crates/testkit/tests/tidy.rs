//! The house rules that a machine can check: who may use whom, where facts live, what the documents promise.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use espalier_dynamo::Operation;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// All files below a folder with one of these endings.
fn files(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && !name.starts_with('.') && name != "target" && name != "node_modules" {
            found.extend(files(&path, endings));
        } else if endings.iter().any(|ending| name.ends_with(ending)) {
            found.push(path);
        }
    }
    found
}

#[test]
fn crates_use_only_what_lies_below_them() {
    let allowed: BTreeMap<&str, &[&str]> = [
        ("dynamo", &[][..]),
        ("store", &[]),
        ("engine", &["dynamo", "store"]),
        ("wire", &["dynamo"]),
        ("server", &["dynamo", "wire"]),
        ("cli", &["dynamo", "engine", "server", "store"]),
    ]
    .into();
    for (name, allowed) in allowed {
        let manifest = read(&root().join("crates").join(name).join("Cargo.toml"));
        let ordinary = manifest.split("[dev-dependencies]").next().unwrap();
        for line in ordinary.lines().filter(|line| line.starts_with("espalier-")) {
            let used = line.trim_start_matches("espalier-").split(['.', ' ']).next().unwrap();
            assert!(allowed.contains(&used), "{name} must not use {used}");
        }
    }
}

#[test]
fn facts_live_in_one_place() {
    // What only one file may know: protocol words, the hash of partitions, the system clock.
    let rules = [
        ("\"__type\"", &["wire/src/fault.rs"][..]),
        ("b\"Outliers\"", &["engine/src/layout.rs"]),
        ("SystemTime::now", &["engine/src/clock.rs", "server/src"]),
    ];
    for path in files(&root().join("crates"), &[".rs"]) {
        let text = path.to_string_lossy().replace('\\', "/");
        if !text.contains("/src/") || text.contains("/testkit/") || text.contains("/bench/") {
            continue;
        }
        for (word, homes) in &rules {
            let at_home = homes.iter().any(|home| text.contains(home));
            assert!(at_home || !read(&path).contains(word), "{word} belongs into {homes:?}, not into {text}");
        }
    }
}

#[test]
fn every_operation_has_a_line_in_compatibility() {
    let page = read(&root().join("COMPATIBILITY.md"));
    for operation in Operation::NAMES {
        let listed = page.lines().any(|line| line.starts_with('|') && line.contains(operation));
        assert!(listed, "{operation} has no line in COMPATIBILITY.md");
    }
}

#[test]
fn links_between_documents_resolve() {
    for path in files(&root(), &[".md"]) {
        let folder = path.parent().unwrap().to_owned();
        for target in read(&path).split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = target.split('#').next().unwrap();
            if file.is_empty() || file.contains("://") {
                continue;
            }
            assert!(folder.join(file).exists(), "{} links to {file}, which is not there", path.display());
        }
    }
}

#[test]
fn the_map_names_what_exists() {
    let sources: String = files(&root().join("crates"), &[".rs"]).iter().map(|path| read(path)).collect();
    let map = read(&root().join("ARCHITECTURE.md"));
    let outside_blocks: String = map.split("```").step_by(2).collect();
    for symbol in outside_blocks.split('`').skip(1).step_by(2) {
        let last = symbol.rsplit("::").next().unwrap();
        let is_symbol = last.chars().all(|letter| letter.is_alphanumeric() || letter == '_') && last != "kill";
        if is_symbol && symbol.contains("::") {
            assert!(sources.contains(last), "ARCHITECTURE.md names {symbol}, which is nowhere");
        }
    }
}

#[test]
fn no_document_or_source_names_a_place_of_one_machine() {
    let endings = [".rs", ".md", ".toml", ".txt", ".py", ".mjs", ".js", ".sh"];
    let forbidden = [concat!("/wo", "rk/"), concat!("/ro", "ot/"), concat!("/ho", "me/")];
    for path in files(&root(), &endings) {
        let text = read(&path);
        for word in forbidden {
            assert!(!text.contains(word), "{} names {word}", path.display());
        }
    }
}
