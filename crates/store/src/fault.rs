//! A disk that loses power, fails and fills up on command.
//!
//! [`Disk`] is an [`Io`] for tests. It keeps what was synced apart from what was only written. A [`Moment`] is its
//! state at one instant, and [`Moment::crash`] makes the disk that a power cut at that instant could leave: of the
//! unsynced writes any set of 512-byte sectors, any set of length changes, any set of created, renamed and removed
//! names. Everything follows from seeds: the same calls and the same seed give the same disk.
//!
//! ```
//! use espalier_store::{Changes, Options, Store, fault::Disk};
//! use std::sync::Arc;
//!
//! let disk = Disk::new(1);
//! let store = Store::open_with(Arc::new(disk.clone()), Options::default())?;
//! let mut changes = Changes::new();
//! changes.put("key", "value");
//! store.commit(changes).wait()?;
//!
//! let after = disk.moment().crash(7);
//! let store = Store::open_with(Arc::new(after), Options::default())?;
//! assert!(store.snapshot().get(b"key")?.is_some());
//! # Ok::<(), espalier_store::Error>(())
//! ```

mod content;
mod random;

use crate::io::{File, Io};
use content::Content;
use parking_lot::Mutex;
pub use random::Random;
use std::collections::BTreeMap;
use std::io::{Error, ErrorKind, Result};
use std::sync::Arc;

/// What is asked of a disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Call {
    /// Opening a file or listing the folder.
    Open,
    /// Reading from a file.
    Read,
    /// Writing to a file.
    Write,
    /// Making a file durable.
    Sync,
    /// Changing the length of a file.
    SetLen,
    /// Making a new file.
    Create,
    /// Renaming a file.
    Rename,
    /// Removing a file.
    Remove,
    /// Making names durable.
    SyncNames,
}

impl Call {
    /// All of them.
    pub const ALL: [Call; 9] = [
        Call::Open,
        Call::Read,
        Call::Write,
        Call::Sync,
        Call::SetLen,
        Call::Create,
        Call::Rename,
        Call::Remove,
        Call::SyncNames,
    ];
}

/// An order to fail.
#[derive(Debug, Clone)]
pub struct Fault {
    /// The kind of call that fails; any kind if `None`.
    pub call: Option<Call>,
    /// How many such calls still succeed.
    pub after: u64,
    /// Fail only once, or from then on.
    pub forever: bool,
    /// What the caller is told.
    pub error: ErrorKind,
}

/// A simulated disk. Clones are the same disk.
#[derive(Debug, Clone)]
pub struct Disk(Arc<Mutex<State>>);

/// The state of a disk at one instant.
#[derive(Debug, Clone)]
pub struct Moment {
    names: BTreeMap<String, u64>,
    synced_names: BTreeMap<String, u64>,
    name_changes: Vec<NameChange>,
    files: BTreeMap<u64, Content>,
    /// The largest number that the test had passed to [`Disk::note`].
    pub note: u64,
    /// Calls made so far.
    pub calls: u64,
}

#[derive(Debug, Clone)]
enum NameChange {
    Create(String, u64),
    Rename(String, String),
    Remove(String),
}

struct State {
    now: Moment,
    next_file: u64,
    salt: Random,
    faults: Vec<Fault>,
    capacity: Option<u64>,
    counts: BTreeMap<Call, u64>,
    watch: Option<(Vec<Call>, Watcher)>,
    locked: bool,
}

type Watcher = Box<dyn FnMut(Call, Moment) + Send>;

impl std::fmt::Debug for State {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("State").field("calls", &self.now.calls).finish_non_exhaustive()
    }
}

impl Disk {
    /// An empty disk.
    pub fn new(seed: u64) -> Disk {
        let now = Moment {
            names: BTreeMap::new(),
            synced_names: BTreeMap::new(),
            name_changes: Vec::new(),
            files: BTreeMap::new(),
            note: 0,
            calls: 0,
        };
        Disk::from_moment(now, seed)
    }

    fn from_moment(now: Moment, seed: u64) -> Disk {
        Disk(Arc::new(Mutex::new(State {
            next_file: now.files.keys().next_back().map_or(1, |file| file + 1),
            now,
            salt: Random::new(seed ^ 0x5a17),
            faults: Vec::new(),
            capacity: None,
            counts: BTreeMap::new(),
            watch: None,
            locked: false,
        })))
    }

    /// The present state.
    pub fn moment(&self) -> Moment {
        self.0.lock().now.clone()
    }

    /// Remembers the largest number noted with every later moment, such as how much was acknowledged.
    pub fn note(&self, number: u64) {
        let note = &mut self.0.lock().now.note;
        *note = number.max(*note);
    }

    /// Adds an order to fail.
    pub fn fail(&self, fault: Fault) {
        self.0.lock().faults.push(fault);
    }

    /// Takes back all orders to fail.
    pub fn heal(&self) {
        self.0.lock().faults.clear();
    }

    /// Limits how many bytes the files may take, in blocks of 4 KB. Holes take none.
    pub fn set_capacity(&self, bytes: Option<u64>) {
        self.0.lock().capacity = bytes;
    }

    /// Bytes that the files take.
    pub fn used(&self) -> u64 {
        self.0.lock().used()
    }

    /// How many calls of a kind were made.
    pub fn count(&self, call: Call) -> u64 {
        self.0.lock().counts.get(&call).copied().unwrap_or(0)
    }

    /// Shows the moment before every call of these kinds to `watcher`. It may do anything but use this disk; calls
    /// that other threads make meanwhile are not shown.
    pub fn watch(&self, calls: &[Call], watcher: impl FnMut(Call, Moment) + Send + 'static) {
        self.0.lock().watch = Some((calls.to_vec(), Box::new(watcher)));
    }

    /// Ends watching.
    pub fn unwatch(&self) {
        self.0.lock().watch = None;
    }

    /// Names and lengths of the files.
    pub fn files(&self) -> Vec<(String, u64)> {
        let state = self.0.lock();
        let length = |file: &u64| state.now.files[file].data.len() as u64;
        state.now.names.iter().map(|(name, file)| (name.clone(), length(file))).collect()
    }

    /// The content of a file. Panics if it does not exist.
    pub fn content(&self, name: &str) -> Vec<u8> {
        let state = self.0.lock();
        state.now.files[&state.now.names[name]].data.clone()
    }

    /// Changes bytes behind the back of whoever uses the disk, as a failing disk would. Panics if the file does not
    /// exist.
    pub fn damage(&self, name: &str, damage: impl FnOnce(&mut Vec<u8>)) {
        let mut state = self.0.lock();
        let file = state.now.names[name];
        let content = state.now.files.get_mut(&file).expect("names point to files");
        content.damage(damage);
    }

    /// Removes a file behind the back of whoever uses the disk.
    pub fn lose(&self, name: &str) {
        let mut state = self.0.lock();
        state.now.names.remove(name);
        state.now.synced_names.remove(name);
    }

    fn call(&self, call: Call) -> Result<parking_lot::MutexGuard<'_, State>> {
        let mut state = self.0.lock();
        *state.counts.entry(call).or_default() += 1;
        state.now.calls += 1;
        if let Some((calls, mut watcher)) = state.watch.take() {
            if calls.contains(&call) {
                let moment = state.now.clone();
                drop(state);
                watcher(call, moment);
                state = self.0.lock();
            }
            state.watch = Some((calls, watcher));
        }
        let mut error = None;
        state.faults.retain_mut(|fault| {
            if fault.call.is_some_and(|kind| kind != call) {
                return true;
            }
            if fault.after > 0 {
                fault.after -= 1;
                return true;
            }
            error = Some(Error::new(fault.error, "simulated"));
            fault.forever
        });
        error.map_or(Ok(state), Err)
    }
}

impl State {
    fn used(&self) -> u64 {
        self.now.names.values().map(|file| self.now.files[file].used()).sum()
    }

    fn file(&mut self, file: u64) -> &mut Content {
        self.now.files.get_mut(&file).expect("an open file exists")
    }

    fn named(&self, name: &str) -> Result<u64> {
        self.now.names.get(name).copied().ok_or(ErrorKind::NotFound.into())
    }
}

impl Moment {
    /// The disk that a power cut at this moment could leave.
    pub fn crash(&self, seed: u64) -> Disk {
        let mut random = Random::new(seed);
        // From "nothing unsynced survived" to "everything did", with the extremes as likely as the middle.
        let keep = [0, 10, 50, 90, 100][random.below(5) as usize];
        let keep_names = [0, 50, 100][random.below(3) as usize];
        let mut names = self.synced_names.clone();
        for change in &self.name_changes {
            if random.below(100) >= keep_names {
                continue;
            }
            match change {
                NameChange::Create(name, file) => drop(names.insert(name.clone(), *file)),
                NameChange::Remove(name) => drop(names.remove(name)),
                NameChange::Rename(from, to) => {
                    if let Some(file) = names.remove(from) {
                        names.insert(to.clone(), file);
                    }
                }
            }
        }
        let alive = |file: &u64| names.values().any(|other| other == file);
        let files = self.files.iter().filter(|(file, _)| alive(file));
        let files = files.map(|(file, content)| (*file, content.crash(&mut random, keep))).collect();
        let now =
            Moment { synced_names: names.clone(), names, name_changes: Vec::new(), files, note: self.note, calls: 0 };
        Disk::from_moment(now, seed)
    }

    /// The disk that the end of the process alone would leave: nothing is lost.
    pub fn kill(&self, seed: u64) -> Disk {
        Disk::from_moment(self.clone(), seed)
    }
}

struct Guard(Disk);

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.0.lock().locked = false;
    }
}

impl Io for Disk {
    fn path(&self) -> String {
        "simulated disk".to_owned()
    }

    fn lock(&self) -> Result<Option<Box<dyn Send + Sync>>> {
        let was_locked = std::mem::replace(&mut self.0.lock().locked, true);
        Ok((!was_locked).then(|| Box::new(Guard(self.clone())) as Box<dyn Send + Sync>))
    }

    fn list(&self) -> Result<Vec<String>> {
        Ok(self.call(Call::Open)?.now.names.keys().cloned().collect())
    }

    fn open(&self, name: &str) -> Result<Arc<dyn File>> {
        let file = self.call(Call::Open)?.named(name)?;
        Ok(Arc::new(DiskFile { disk: self.clone(), file }))
    }

    fn create(&self, name: &str) -> Result<Arc<dyn File>> {
        let mut state = self.call(Call::Create)?;
        let file = state.next_file;
        state.next_file += 1;
        state.now.files.insert(file, Content::default());
        state.now.names.insert(name.to_owned(), file);
        state.now.name_changes.push(NameChange::Create(name.to_owned(), file));
        Ok(Arc::new(DiskFile { disk: self.clone(), file }))
    }

    fn rename(&self, from: &str, to: &str) -> Result<()> {
        let mut state = self.call(Call::Rename)?;
        let file = state.named(from)?;
        state.now.names.remove(from);
        state.now.names.insert(to.to_owned(), file);
        state.now.name_changes.push(NameChange::Rename(from.to_owned(), to.to_owned()));
        Ok(())
    }

    fn remove(&self, name: &str) -> Result<()> {
        let mut state = self.call(Call::Remove)?;
        state.named(name)?;
        state.now.names.remove(name);
        state.now.name_changes.push(NameChange::Remove(name.to_owned()));
        Ok(())
    }

    fn sync_names(&self) -> Result<()> {
        let mut state = self.call(Call::SyncNames)?;
        state.now.synced_names = state.now.names.clone();
        state.now.name_changes.clear();
        Ok(())
    }

    fn salt(&self) -> u64 {
        self.0.lock().salt.next()
    }
}

#[derive(Debug)]
struct DiskFile {
    disk: Disk,
    file: u64,
}

impl File for DiskFile {
    fn len(&self) -> Result<u64> {
        Ok(self.disk.0.lock().file(self.file).data.len() as u64)
    }

    fn read(&self, offset: u64, buffer: &mut [u8]) -> Result<()> {
        self.disk.call(Call::Read)?.file(self.file).read(offset, buffer)
    }

    fn write(&self, offset: u64, data: &[u8]) -> Result<()> {
        let mut state = self.disk.call(Call::Write)?;
        let needed = state.file(self.file).needs(offset, data.len());
        if let Some(capacity) = state.capacity
            && needed > 0
            && state.used() + needed > capacity
        {
            return Err(ErrorKind::StorageFull.into());
        }
        state.file(self.file).write(offset, data);
        Ok(())
    }

    fn set_len(&self, len: u64) -> Result<()> {
        self.disk.call(Call::SetLen)?.file(self.file).set_len(len)
    }

    fn sync(&self) -> Result<()> {
        self.disk.call(Call::Sync)?.file(self.file).sync();
        Ok(())
    }
}
