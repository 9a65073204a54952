//! The one door to files, for the log and for the tree.
//!
//! Everything the store does to a disk goes through [`Io`] (a folder) and [`File`] (one file in it). Three
//! folders exist: [`Folder`] on a real disk, [`Memory`], and [`fault::Disk`](crate::fault::Disk), which loses
//! power, tears writes, fails and fills up on command. Nothing else in this crate touches `std::fs`.

mod folder;
mod memory;

pub use folder::Folder;
pub use memory::Memory;

use std::fmt::Debug;
use std::io::Result;
use std::sync::Arc;

/// A flat folder of files.
pub trait Io: Debug + Send + Sync {
    /// How to call this folder in a message to the user.
    fn path(&self) -> String;

    /// Keeps others out until the guard is dropped. `None` when somebody else is in.
    fn lock(&self) -> Result<Option<Box<dyn Send + Sync>>>;

    /// Names of the files that exist.
    fn list(&self) -> Result<Vec<String>>;

    /// Opens an existing file.
    fn open(&self, name: &str) -> Result<Arc<dyn File>>;

    /// Makes a new, empty file, replacing one of that name. The name is durable after [`Io::sync_names`].
    fn create(&self, name: &str) -> Result<Arc<dyn File>>;

    /// Renames a file, replacing one that has the new name. Durable after [`Io::sync_names`].
    fn rename(&self, from: &str, to: &str) -> Result<()>;

    /// Removes a file. Durable after [`Io::sync_names`].
    fn remove(&self, name: &str) -> Result<()>;

    /// Makes created, renamed and removed names durable.
    fn sync_names(&self) -> Result<()>;

    /// A number that nobody can guess: the mark of one use of a log segment.
    fn salt(&self) -> u64;
}

/// An open file. Offsets are explicit, so any number of threads may use it.
pub trait File: Debug + Send + Sync {
    /// Length in bytes.
    fn len(&self) -> Result<u64>;

    /// True when the file holds nothing.
    fn is_empty(&self) -> Result<bool> {
        Ok(self.len()? == 0)
    }

    /// Fills `buffer` from `offset`; an error if the file ends before.
    fn read(&self, offset: u64, buffer: &mut [u8]) -> Result<()>;

    /// Writes all of `data` at `offset`.
    fn write(&self, offset: u64, data: &[u8]) -> Result<()>;

    /// Cuts or extends the file; new bytes are zero and may take no room on the disk yet.
    fn set_len(&self, len: u64) -> Result<()>;

    /// Writes zeros up to `len`, so that later writes below `len` need no new room and no new metadata.
    fn fill(&self, len: u64) -> Result<()> {
        static ZEROS: [u8; 64 * 1024] = [0; 64 * 1024];
        let mut at = self.len()?;
        while at < len {
            let step = (len - at).min(ZEROS.len() as u64);
            self.write(at, &ZEROS[..step as usize])?;
            at += step;
        }
        Ok(())
    }

    /// Returns when everything written before is on the disk.
    fn sync(&self) -> Result<()>;
}
