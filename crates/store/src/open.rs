//! Opening a folder: check its format, open the tree, replay the log after it.
//!
//! A new store is made in an order that can be cut anywhere: format, first segment, and last the tree under its real
//! name. Before that name exists nothing can have been committed, and the next attempt starts over.

use crate::error::{Error, RESTORE};
use crate::io::Io;
use crate::live::Live;
use crate::log::Position;
use crate::log::replay::{Files, replay};
use crate::log::segment::{START, Segment};
use crate::log::supply::Supply;
use crate::log::writer::Writer;
use crate::options::Options;
use crate::recent::Recent;
use crate::store::Core;
use crate::tree::{self, Tree};
use std::sync::Arc;

/// The file that says how the others are to be read.
const FORMAT_FILE: &str = "format";
const FORMAT_TEXT: &str = "espalier store, format ";
/// Length of the first segment: somebody waits for it, and larger ones follow with the first commit.
const FIRST: u64 = 256 * 1024;
/// The newest format that this version understands.
const FORMAT: u32 = 1;

/// Opens the store in a folder that is locked already.
pub(crate) fn open(io: Arc<dyn Io>, options: Options) -> Result<Core, Error> {
    let opened = open_folder(&io, options);
    opened.map_err(|cause| if cause.is_full() { Error::Full { path: io.path() } } else { cause })
}

fn open_folder(io: &Arc<dyn Io>, options: Options) -> Result<Core, Error> {
    let names = io.list().map_err(|cause| Error::io("list", &io.path(), cause))?;
    let has = |name: &str| names.iter().any(|other| other == name);
    check_format(&**io, has(FORMAT_FILE), has(tree::FILE))?;
    let mut files = Files::list(&**io)?;
    if !has(tree::FILE) {
        create(&**io, &files, &options)?;
        files = Files::list(&**io)?;
    }
    let tree = Tree::open(&**io, options.cache_bytes)?;
    let position = tree.position()?;
    let (active, live) = (Recent::default(), Live::default());
    let next_number = files.segments.keys().next_back().map_or(1, |number| number + 1);
    let end = replay(&mut files, position, &mut |sequence, changes| active.apply(sequence, changes, &live))?;
    for name in &files.unused {
        // Left behind by a crash while it was being made. If it cannot be removed it is found again next time.
        let _ = io.remove(name);
    }
    let keep = 2 * options.recent_bytes / options.segment_bytes as usize + options.spare_segments + 2;
    let idle = std::mem::take(&mut files.segments).into_values().collect();
    let (size, spare) = (options.segment_bytes, options.spare_segments);
    let supply = Supply::new(io.clone(), size, spare, keep, next_number, files.next_file, idle);
    let log = Writer::new(end.segment, end.position, end.sealed);
    let core = Core::new(options, io.clone(), tree, active, log, supply, end.position)?;
    core.freeze(&mut core.layers.lock());
    Ok(core)
}

fn check_format(io: &dyn Io, has_format: bool, has_tree: bool) -> Result<(), Error> {
    let unreadable =
        |what: &str| Error::Corrupt { file: FORMAT_FILE.to_owned(), offset: 0, what: what.to_owned(), advice: RESTORE };
    if !has_format {
        return if has_tree { Err(unreadable("it is missing, but the tree is there")) } else { Ok(()) };
    }
    let read = || {
        let file = io.open(FORMAT_FILE)?;
        let mut text = vec![0; file.len()?.min(256) as usize];
        file.read(0, &mut text)?;
        Ok(text)
    };
    let text = read().map_err(|cause| Error::io("read", FORMAT_FILE, cause))?;
    let text = String::from_utf8_lossy(&text);
    match text.strip_prefix(FORMAT_TEXT).and_then(|rest| rest.trim_end().parse::<u32>().ok()) {
        Some(found) if found > FORMAT => Err(Error::NewerFormat { path: io.path(), found, known: FORMAT }),
        Some(1..) => Ok(()),
        // Without a tree this is the rest of a first open that was cut short.
        _ if has_tree => Err(unreadable("it does not name a format")),
        _ => Ok(()),
    }
}

fn create(io: &dyn Io, files: &Files, options: &Options) -> Result<(), Error> {
    if files.any_frames()? {
        return Err(Error::Corrupt {
            file: tree::FILE.to_owned(),
            offset: 0,
            what: "it is missing, but the log was written to".to_owned(),
            advice: RESTORE,
        });
    }
    for name in files.segments.values().map(|segment| &*segment.name).chain(files.unused.iter().map(|n| &**n)) {
        io.remove(name).map_err(|cause| Error::io("remove", name, cause))?;
    }
    let write = || {
        let file = io.create(FORMAT_FILE)?;
        file.write(0, format!("{FORMAT_TEXT}{FORMAT}\n").as_bytes())?;
        file.sync()
    };
    write().map_err(|cause| Error::io("write", FORMAT_FILE, cause))?;
    let name = format!("{}{:06}", crate::log::segment::PREFIX, files.next_file);
    let first = Segment::create_unnamed(io, &name, 1, FIRST.min(options.segment_bytes))?;
    Tree::create(io, Position { segment: first.number, offset: START, frame: 1, sequence: 0 })
}
