//! What redb sees of a file.
//!
//! redb stops serving reads after any failed write, until it is reopened. A full or failing disk is no reason to
//! stop reading, so failures of writes are kept from it:
//!
//! - *No room*: the write waits and tries again, for as long as somebody may free some. The checkpoint stands
//!   still meanwhile, and [`Backend::is_waiting`] tells the store to refuse changes once memory is used up.
//! - *Anything else*, or [`Backend::give_up`] while waiting: nothing goes to the file any more. Later writes are
//!   kept in memory, and reads see them, so redb and its readers stay consistent; [`Backend::check`] reports the
//!   failure, and the transaction counts as never made. On the disk it looks like a power cut at that moment.
//!
//! A failed read is tried once more; redb then stops reading until the store is reopened.

use crate::error::{Error, is_full};
use crate::io::File;
use parking_lot::{Condvar, Mutex};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io::Result;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How long to wait before asking a full disk again.
const RETRY: Duration = Duration::from_millis(100);

/// A file for redb. Clones are the same file.
#[derive(Debug, Clone)]
pub(crate) struct Backend(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    file: Arc<dyn File>,
    failed: AtomicBool,
    waiting: AtomicBool,
    state: Mutex<State>,
    wake: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// No waiting for room: report that there is none.
    impatient: bool,
    failure: Option<Error>,
    /// Once failed: the blocks that differ from the file, by their number, and what would be its length.
    overlay: BTreeMap<u64, Box<[u8]>>,
    len: u64,
}

/// Size of a block of the overlay.
const BLOCK: u64 = 4096;

impl Backend {
    /// Impatient at first, so that opening a store on a full disk fails instead of waiting.
    pub(crate) fn new(file: Arc<dyn File>) -> Backend {
        Backend(Arc::new(Inner {
            file,
            failed: AtomicBool::new(false),
            waiting: AtomicBool::new(false),
            state: Mutex::new(State { impatient: true, ..State::default() }),
            wake: Condvar::new(),
        }))
    }

    /// From now on, wait when the disk is full.
    pub(crate) fn be_patient(&self) {
        self.0.state.lock().impatient = false;
    }

    /// From now on, do not wait for room, not even where somebody is waiting already.
    pub(crate) fn give_up(&self) {
        self.0.state.lock().impatient = true;
        self.0.wake.notify_all();
    }

    /// True while a write waits for room.
    pub(crate) fn is_waiting(&self) -> bool {
        self.0.waiting.load(Ordering::Relaxed)
    }

    /// The failure that ended writing, if there was one.
    pub(crate) fn check(&self) -> std::result::Result<(), Error> {
        if !self.0.failed.load(Ordering::Acquire) {
            return Ok(());
        }
        self.0.state.lock().failure.clone().map_or(Ok(()), Err)
    }

    /// Writes, syncs or resizes; waits for room; on failure switches to memory.
    fn change(&self, doing: &'static str, act: &dyn Fn() -> Result<()>) {
        while let Err(cause) = act() {
            let mut state = self.0.state.lock();
            // A failed sync is never repeated: the second one may succeed although the data is gone.
            if is_full(&cause) && !state.impatient && doing != "sync" {
                self.0.waiting.store(true, Ordering::Relaxed);
                self.0.wake.wait_for(&mut state, RETRY);
                continue;
            }
            // The length is needed from here on; a file whose length cannot be read is as good as empty.
            state.len = self.0.file.len().unwrap_or(0);
            state.failure = Some(Error::io(doing, super::FILE, cause));
            self.0.failed.store(true, Ordering::Release);
            break;
        }
        self.0.waiting.store(false, Ordering::Relaxed);
    }

    fn failed(&self) -> bool {
        self.0.failed.load(Ordering::Acquire)
    }

    /// Reads from the file, and zeros where it has ended.
    fn read_file(&self, offset: u64, out: &mut [u8]) -> Result<()> {
        let end = offset + out.len() as u64;
        let (inside, beyond) = out.split_at_mut((self.0.file.len()?.clamp(offset, end) - offset) as usize);
        beyond.fill(0);
        self.0.file.read(offset, inside)
    }
}

/// The blocks that `len` bytes at `offset` fall into: (block, start in block, start in buffer, count).
fn blocks(offset: u64, len: usize) -> impl Iterator<Item = (u64, usize, usize, usize)> {
    let mut done = 0;
    std::iter::from_fn(move || {
        let at = offset + done as u64;
        let within = (at % BLOCK) as usize;
        let count = (BLOCK as usize - within).min(len - done);
        let part = (at / BLOCK, within, done, count);
        done += count;
        (count > 0).then_some(part)
    })
}

impl redb::StorageBackend for Backend {
    fn len(&self) -> Result<u64> {
        if self.failed() {
            return Ok(self.0.state.lock().len);
        }
        self.0.file.len()
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> Result<()> {
        if !self.failed() {
            return self.0.file.read(offset, out).or_else(|_| self.0.file.read(offset, out));
        }
        let state = self.0.state.lock();
        self.read_file(offset, out)?;
        for (block, within, at, count) in blocks(offset, out.len()) {
            if let Some(data) = state.overlay.get(&block) {
                out[at..at + count].copy_from_slice(&data[within..within + count]);
            }
        }
        Ok(())
    }

    fn set_len(&self, len: u64) -> Result<()> {
        if !self.failed() {
            self.change("resize", &|| self.0.file.set_len(len));
        }
        if self.failed() {
            self.0.state.lock().len = len;
        }
        Ok(())
    }

    fn sync_data(&self) -> Result<()> {
        if !self.failed() {
            self.change("sync", &|| self.0.file.sync());
        }
        Ok(())
    }

    fn write(&self, offset: u64, data: &[u8]) -> Result<()> {
        if !self.failed() {
            self.change("write", &|| self.0.file.write(offset, data));
        }
        if self.failed() {
            let mut state = self.0.state.lock();
            state.len = state.len.max(offset + data.len() as u64);
            for (block, within, at, count) in blocks(offset, data.len()) {
                let copy = match state.overlay.entry(block) {
                    Entry::Occupied(entry) => entry.into_mut(),
                    Entry::Vacant(entry) => {
                        let mut old = vec![0; BLOCK as usize];
                        self.read_file(block * BLOCK, &mut old)?;
                        entry.insert(old.into())
                    }
                };
                copy[within..within + count].copy_from_slice(&data[at..at + count]);
            }
        }
        Ok(())
    }
}
