//! Ordered bytes, durably: the store under the engine.
//!
//! A [`Store`] maps keys to values, both plain bytes, ordered by key. Changes are committed in sets
//! ([`Changes`]) that survive a power cut whole or not at all; a [`Commit`] resolves when its set is on the disk.
//! Readers look at a [`Snapshot`], which never changes and never shows anything that could still be lost.
//!
//! ```
//! use espalier_store::{Changes, Direction, Options, Store};
//! use std::ops::{Bound, ControlFlow};
//!
//! let store = Store::in_memory(Options::default())?;
//! let mut changes = Changes::new();
//! changes.put("apple", "red");
//! changes.put("plum", "blue");
//! store.commit(changes).wait()?;
//!
//! let snapshot = store.snapshot();
//! assert_eq!(snapshot.get(b"apple")?.as_deref(), Some(&b"red"[..]));
//! let mut keys = Vec::new();
//! snapshot.scan(Bound::Unbounded, Bound::Unbounded, Direction::Backward, &mut |key, _| {
//!     keys.push(key.to_vec());
//!     ControlFlow::Continue(())
//! })?;
//! assert_eq!(keys, [&b"plum"[..], b"apple"]);
//! store.close()?;
//! # Ok::<(), espalier_store::Error>(())
//! ```
//!
//! # A tour
//!
//! Logs commit fast and B-trees read fast, so there are both. A commit goes into the *active* layer in memory
//! (`recent`) and into the *log* (`log`), which a thread appends and syncs for all waiting commits at once. When
//! the active layer is full it is *frozen*, and another thread moves it into the *tree* (`tree`, on redb) in the
//! background (`checkpoint`); then the log before it is used again. A snapshot is the three layers at one sequence
//! number (`snapshot`). `open` puts everything together after a stop of any kind. All of them reach the disk
//! through [`io::Io`] alone, and [`fault::Disk`] is an implementation of it that loses power on command.

mod changes;
mod checkpoint;
mod commit;
mod error;
pub mod fault;
pub mod io;
mod live;
mod log;
mod open;
mod options;
mod recent;
mod snapshot;
mod stats;
mod store;
mod tree;

pub use changes::Changes;
pub use commit::Commit;
pub use error::Error;
pub use io::Io;
pub use options::Options;
pub use snapshot::{Direction, Snapshot, Visit};
pub use stats::Stats;

use parking_lot::Mutex;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::{Builder, JoinHandle};
use store::Core;

/// An open store. Clones are handles to the same one; the last to go stops the threads.
///
/// Dropping without [`Store::close`] loses nothing that was committed, but leaves the log for the next open to read.
#[derive(Debug, Clone)]
pub struct Store(Arc<Handle>);

#[derive(Debug)]
struct Handle {
    core: Arc<Core>,
    running: Mutex<Running>,
}

/// What must end before somebody else may open the folder.
#[derive(Default)]
struct Running {
    threads: Vec<JoinHandle<()>>,
    lock: Option<Box<dyn Send + Sync>>,
}

impl std::fmt::Debug for Running {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.threads.fmt(formatter)
    }
}

impl Store {
    /// Opens the store in a folder, and makes both if they do not exist. Nobody else can open it meanwhile.
    pub fn open(path: &Path, options: Options) -> Result<Store, Error> {
        let folder = io::Folder::new(path);
        let folder = folder.map_err(|cause| Error::io("create", &path.display().to_string(), cause))?;
        Store::open_with(Arc::new(folder), options)
    }

    /// Opens the store in any folder, such as one that fails on command.
    pub fn open_with(io: Arc<dyn Io>, options: Options) -> Result<Store, Error> {
        let lock = io.lock().map_err(|cause| Error::io("lock", &io.path(), cause))?;
        let lock = lock.ok_or_else(|| Error::Locked { path: io.path() })?;
        let core = Arc::new(open::open(io, options.checked())?);
        let handle =
            Handle { core: core.clone(), running: Mutex::new(Running { threads: Vec::new(), lock: Some(lock) }) };
        let store = Store(Arc::new(handle));
        if !core.options.background {
            core.work();
            return Ok(store);
        }
        core.backend.be_patient();
        type Run = fn(&Core);
        let parts: [(&str, Run); 3] = [
            ("espalier-log", Core::run_log),
            ("espalier-checkpoint", Core::run_checkpoint),
            ("espalier-supply", Core::run_supply),
        ];
        for (name, run) in parts {
            let core = core.clone();
            let thread = Builder::new().name(name.to_owned()).spawn(move || {
                // Those who wait must not wait for a thread that is gone.
                if catch_unwind(AssertUnwindSafe(|| run(&core))).is_err() {
                    core.gate.fail(Error::Panicked { thread: name }.poisoned());
                }
            });
            // If one cannot start, dropping `store` ends the others.
            let thread = thread.map_err(|cause| Error::io("start the thread", name, cause))?;
            store.0.running.lock().threads.push(thread);
        }
        Ok(store)
    }

    /// A store that is gone with its last handle: the same code on a folder in memory.
    pub fn in_memory(options: Options) -> Result<Store, Error> {
        Store::open_with(Arc::new(io::Memory::new()), options.in_memory())
    }

    /// The newest durable state. As cheap as a lock and a reference count: call it for every request.
    pub fn snapshot(&self) -> Snapshot {
        self.0.core.snapshot()
    }

    /// The newest committed state, durable or not. Only for whoever commits next, to decide what to commit: what is
    /// read here may still be lost.
    pub fn latest(&self) -> Snapshot {
        self.0.core.latest()
    }

    /// Numbers the changes, shows them to [`Store::latest`], hands them to the log, and returns without waiting.
    ///
    /// Callers take turns: whoever reads [`Store::latest`] in order to commit holds a lock of their own from the read
    /// to the return of this call. Empty changes resolve when everything before them is durable. A commit that is
    /// refused ([`Error::Full`], [`Error::Poisoned`], [`Error::Closed`], [`Error::TooLarge`]) has no effect at all.
    pub fn commit(&self, changes: Changes) -> Commit {
        self.0.core.commit(changes)
    }

    /// Moves everything into the tree and stops, so that the next open has nothing to replay.
    ///
    /// If that fails, for example because the disk is full, everything durable is still in the log, and the folder
    /// is released all the same. The second call does nothing.
    pub fn close(&self) -> Result<(), Error> {
        if !self.0.core.begin_close() {
            return Ok(());
        }
        let result = self.0.core.drain();
        self.0.stop();
        result
    }

    /// What the store is doing.
    pub fn stats(&self) -> Stats {
        self.0.core.stats()
    }
}

impl Core {
    /// Waits until everything is in the tree.
    fn drain(&self) -> Result<(), Error> {
        // Nobody should wait in here for a full disk.
        self.backend.give_up();
        let sequence = self.layers.lock().sequence;
        Commit::new(self.gate.clone(), sequence).wait()?;
        let mut layers = self.layers.lock();
        layers.flush = true;
        self.freeze(&mut layers);
        while !(layers.active.is_empty() && layers.frozen.is_none()) {
            if let Some(cause) = self.gate.failure() {
                return Err(cause);
            }
            if self.options.background {
                self.checkpoint.wait_for(&mut layers, std::time::Duration::from_millis(50));
            } else {
                drop(layers);
                self.checkpoint_once();
                layers = self.layers.lock();
            }
        }
        Ok(())
    }
}

impl Handle {
    /// Ends the threads, then the tree, then lets others in. What is queued is still written.
    fn stop(&self) {
        let core = &self.core;
        core.begin_close();
        core.stop.store(true, Ordering::Release);
        core.backend.give_up();
        core.supply.stop();
        core.stop_log();
        {
            let _layers = core.layers.lock();
            core.checkpoint.notify_all();
        }
        let mut running = self.running.lock();
        for thread in running.threads.drain(..) {
            // A thread that panicked has said so already, and stopping must go on.
            let _ = thread.join();
        }
        core.tree.lock().take();
        core.gate.fail(Error::Closed);
        running.lock.take();
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.stop();
    }
}
