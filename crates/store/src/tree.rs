//! The tree: everything that is no longer recent, in a redb B-tree.
//!
//! Only the checkpoint writes it. It also remembers up to which [`Position`] of the log it is complete. Every value
//! ends with a checksum of itself and its key, which is compared whenever it is read: redb keeps checksums of its pages,
//! but looks at them only after a crash.

mod backend;

pub(crate) use backend::Backend;

use crate::error::{Error, RESTORE};
use crate::io::{Io, Memory};
use crate::log::Position;
use crate::snapshot::Direction;
use bytes::Bytes;
use redb::{Database, Range, ReadOnlyTable, ReadableDatabase, TableDefinition};
use std::fmt;
use std::ops::Bound;

/// The file of the tree.
pub(crate) const FILE: &str = "tree.redb";
/// The file while it is being made. Only a complete tree gets the real name.
const NEW: &str = "tree.new";
const DATA: TableDefinition<'static, &[u8], &[u8]> = TableDefinition::new("data");
const META: TableDefinition<'static, &str, &[u8]> = TableDefinition::new("meta");
const POSITION: &str = "position";

/// The open tree.
#[derive(Debug)]
pub(crate) struct Tree {
    database: Database,
    backend: Backend,
}

impl Tree {
    /// Makes an empty tree that is complete up to `position`. Its name is the last to become durable.
    pub(crate) fn create(io: &dyn Io, position: Position) -> Result<(), Error> {
        let fail = |doing, file| move |cause| Error::io(doing, file, cause);
        // Made in memory and then written at once: redb itself would sync a dozen times.
        let memory = Memory::new();
        let image = memory.create(NEW).map_err(fail("create", NEW))?;
        let backend = Backend::new(image.clone());
        let tree = Tree { database: open(&backend, 1024 * 1024)?, backend };
        tree.write(Vec::new(), Some(position))?;
        drop(tree);
        let copy = || {
            let file = io.create(NEW)?;
            let len = image.len()?;
            file.set_len(len)?;
            let mut block = [0; 4096];
            for offset in (0..len).step_by(block.len()) {
                let block = &mut block[..(len - offset).min(4096) as usize];
                image.read(offset, block)?;
                if block.iter().any(|byte| *byte != 0) {
                    file.write(offset, block)?;
                }
            }
            file.sync()
        };
        copy().map_err(fail("create", NEW))?;
        io.sync_names().map_err(fail("sync", NEW))?;
        io.rename(NEW, FILE).map_err(fail("rename", NEW))?;
        io.sync_names().map_err(fail("sync", FILE))
    }

    /// Opens the tree of a folder.
    pub(crate) fn open(io: &dyn Io, cache_bytes: usize) -> Result<Tree, Error> {
        let file = io.open(FILE).map_err(|cause| Error::io("open", FILE, cause))?;
        let backend = Backend::new(file);
        let database = open(&backend, cache_bytes).map_err(|cause| match cause {
            cause if cause.is_full() => Error::Full { path: io.path() },
            cause => cause,
        })?;
        Ok(Tree { database, backend })
    }

    /// Up to where the tree is complete.
    pub(crate) fn position(&self) -> Result<Position, Error> {
        let table = self.database.begin_read()?.open_table(META)?;
        let value = table.get(POSITION)?;
        let position = value.and_then(|value| Position::from_bytes(value.value()));
        position.ok_or_else(|| Error::Corrupt {
            file: FILE.to_owned(),
            offset: 0,
            what: "it does not say how much of the log it contains".to_owned(),
            advice: RESTORE,
        })
    }

    /// Puts and deletes entries, sorted by key, in one durable transaction; with the last ones also the position.
    pub(crate) fn write(&self, entries: Vec<(Bytes, Option<Bytes>)>, position: Option<Position>) -> Result<(), Error> {
        let mut transaction = self.database.begin_write()?;
        // After a crash, opening must not have to walk the whole tree.
        transaction.set_quick_repair(true);
        {
            let mut data = transaction.open_table(DATA)?;
            let mut sealed = Vec::new();
            for (key, value) in &entries {
                match value {
                    Some(value) => {
                        sealed.clear();
                        sealed.extend_from_slice(value);
                        sealed.extend_from_slice(&checksum(key, value).to_le_bytes());
                        data.insert(&key[..], &sealed[..])?
                    }
                    None => data.remove(&key[..])?,
                };
            }
        }
        if let Some(position) = position {
            transaction.open_table(META)?.insert(POSITION, &position.to_bytes()[..])?;
        }
        transaction.commit()?;
        // A failed write is hidden from redb so that reads go on (see `Backend`), but the commit is void.
        self.backend.check()
    }

    /// The state after the last write.
    pub(crate) fn view(&self) -> Result<TreeView, Error> {
        self.backend.check()?;
        Ok(TreeView { data: self.database.begin_read()?.open_table(DATA)? })
    }

    pub(crate) fn backend(&self) -> &Backend {
        &self.backend
    }
}

fn open(backend: &Backend, cache_bytes: usize) -> Result<Database, Error> {
    let database = Database::builder().set_cache_size(cache_bytes).create_with_backend(backend.clone())?;
    backend.check()?;
    Ok(database)
}

/// What vouches for a value under its key.
fn checksum(key: &[u8], value: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(key);
    hasher.update(value);
    hasher.finalize()
}

/// The value without its checksum, if the two agree.
fn unseal<'v>(key: &[u8], sealed: &'v [u8]) -> Result<&'v [u8], Error> {
    let sound = sealed.split_last_chunk::<4>();
    let sound = sound.filter(|(value, sum)| u32::from_le_bytes(**sum) == checksum(key, value));
    sound.map(|(value, _)| value).ok_or_else(|| Error::Corrupt {
        file: FILE.to_owned(),
        offset: 0,
        what: "a value and its checksum disagree".to_owned(),
        advice: RESTORE,
    })
}

/// One state of the tree. The opened table is kept: opening it for every read would double the cost of a get.
pub(crate) struct TreeView {
    data: ReadOnlyTable<&'static [u8], &'static [u8]>,
}

impl fmt::Debug for TreeView {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("TreeView")
    }
}

impl TreeView {
    pub(crate) fn get<T>(&self, key: &[u8], read: impl FnOnce(&[u8]) -> T) -> Result<Option<T>, Error> {
        let Some(sealed) = self.data.get(key)? else { return Ok(None) };
        Ok(Some(read(unseal(key, sealed.value())?)))
    }

    pub(crate) fn rows(&self, from: Bound<&[u8]>, to: Bound<&[u8]>, direction: Direction) -> Result<Rows, Error> {
        Ok(Rows { range: self.data.range::<&[u8]>((from, to))?, direction })
    }
}

/// Walks through the tree. Entries are borrowed from its pages.
pub(crate) struct Rows {
    range: Range<'static, &'static [u8], &'static [u8]>,
    direction: Direction,
}

/// An entry of the tree, still in its page.
pub(crate) struct Row(redb::AccessGuard<'static, &'static [u8]>, redb::AccessGuard<'static, &'static [u8]>);

impl Row {
    pub(crate) fn key(&self) -> &[u8] {
        self.0.value()
    }

    pub(crate) fn value(&self) -> Result<&[u8], Error> {
        unseal(self.0.value(), self.1.value())
    }
}

impl Rows {
    pub(crate) fn next(&mut self) -> Result<Option<Row>, Error> {
        let entry = match self.direction {
            Direction::Forward => self.range.next(),
            Direction::Backward => self.range.next_back(),
        };
        Ok(entry.transpose()?.map(|(key, value)| Row(key, value)))
    }
}
