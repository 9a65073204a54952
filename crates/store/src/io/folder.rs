//! A folder on a real disk.

use super::{File, Io};
use std::fs::{self, OpenOptions, TryLockError};
use std::hash::{BuildHasher, RandomState};
use std::io::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Name of the file whose lock means "in use".
const LOCK: &str = "lock";

/// A folder on a real disk.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// Uses the folder at `path`, and makes it if it does not exist.
    pub fn new(path: &Path) -> Result<Folder> {
        if !path.is_dir() {
            fs::create_dir_all(path)?;
            // The name of a new folder lives in its parent, and is lost with it unless that is synced too.
            if let Some(parent) = path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
                sync_folder(parent)?;
            }
        }
        Ok(Folder { path: path.to_owned() })
    }
}

impl Io for Folder {
    fn path(&self) -> String {
        self.path.display().to_string()
    }

    fn lock(&self) -> Result<Option<Box<dyn Send + Sync>>> {
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(self.path.join(LOCK))?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Box::new(file))),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(cause)) => Err(cause),
        }
    }

    fn list(&self) -> Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.path)? {
            // A name that is not UTF-8 cannot be one of ours.
            if let Ok(name) = entry?.file_name().into_string() {
                names.push(name);
            }
        }
        Ok(names)
    }

    fn open(&self, name: &str) -> Result<Arc<dyn File>> {
        let file = OpenOptions::new().read(true).write(true).open(self.path.join(name))?;
        Ok(Arc::new(file))
    }

    fn create(&self, name: &str) -> Result<Arc<dyn File>> {
        let path = self.path.join(name);
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(true).open(path)?;
        Ok(Arc::new(file))
    }

    fn rename(&self, from: &str, to: &str) -> Result<()> {
        fs::rename(self.path.join(from), self.path.join(to))
    }

    fn remove(&self, name: &str) -> Result<()> {
        fs::remove_file(self.path.join(name))
    }

    fn sync_names(&self) -> Result<()> {
        sync_folder(&self.path)
    }

    fn salt(&self) -> u64 {
        // The keys of the standard library's hash maps come from the operating system.
        RandomState::new().hash_one(0)
    }
}

#[cfg(unix)]
fn sync_folder(path: &Path) -> Result<()> {
    fs::File::open(path)?.sync_all()
}

/// Elsewhere a folder cannot be opened as a file, and names are durable with the files themselves.
#[cfg(not(unix))]
fn sync_folder(_path: &Path) -> Result<()> {
    Ok(())
}

impl File for fs::File {
    fn len(&self) -> Result<u64> {
        Ok(self.metadata()?.len())
    }

    #[cfg(unix)]
    fn read(&self, offset: u64, buffer: &mut [u8]) -> Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(self, buffer, offset)
    }

    #[cfg(unix)]
    fn write(&self, offset: u64, data: &[u8]) -> Result<()> {
        std::os::unix::fs::FileExt::write_all_at(self, data, offset)
    }

    #[cfg(windows)]
    fn read(&self, mut offset: u64, mut buffer: &mut [u8]) -> Result<()> {
        while !buffer.is_empty() {
            match std::os::windows::fs::FileExt::seek_read(self, buffer, offset)? {
                0 => return Err(ErrorKind::UnexpectedEof.into()),
                count => {
                    offset += count as u64;
                    buffer = &mut buffer[count..];
                }
            }
        }
        Ok(())
    }

    #[cfg(windows)]
    fn write(&self, mut offset: u64, mut data: &[u8]) -> Result<()> {
        while !data.is_empty() {
            match std::os::windows::fs::FileExt::seek_write(self, data, offset)? {
                0 => return Err(ErrorKind::WriteZero.into()),
                count => {
                    offset += count as u64;
                    data = &data[count..];
                }
            }
        }
        Ok(())
    }

    fn set_len(&self, len: u64) -> Result<()> {
        // A length beyond what a file can have comes from a damaged header; say so instead of trying.
        if len > i64::MAX as u64 {
            return Err(Error::new(ErrorKind::InvalidInput, "a file cannot be that long"));
        }
        fs::File::set_len(self, len)
    }

    fn sync(&self) -> Result<()> {
        self.sync_data()
    }
}
