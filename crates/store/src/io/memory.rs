//! A folder that lives in memory and takes as much of it as was really written.

use super::{File, Io};
use parking_lot::{Mutex, RwLock};
use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};
use std::io::{ErrorKind, Result};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Bytes that are allocated at once. Blocks that were never written do not exist.
const BLOCK: usize = 16 * 1024;

/// A folder in memory. Gone with the last handle.
#[derive(Debug, Default)]
pub struct Memory {
    files: Mutex<BTreeMap<String, Arc<Blocks>>>,
    locked: Arc<AtomicBool>,
}

impl Memory {
    /// An empty folder.
    pub fn new() -> Memory {
        Memory::default()
    }
}

struct Guard(Arc<AtomicBool>);

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

impl Io for Memory {
    fn path(&self) -> String {
        "memory".to_owned()
    }

    fn lock(&self) -> Result<Option<Box<dyn Send + Sync>>> {
        if self.locked.swap(true, Ordering::AcqRel) {
            return Ok(None);
        }
        Ok(Some(Box::new(Guard(self.locked.clone()))))
    }

    fn list(&self) -> Result<Vec<String>> {
        Ok(self.files.lock().keys().cloned().collect())
    }

    fn open(&self, name: &str) -> Result<Arc<dyn File>> {
        match self.files.lock().get(name) {
            Some(file) => Ok(file.clone()),
            None => Err(ErrorKind::NotFound.into()),
        }
    }

    fn create(&self, name: &str) -> Result<Arc<dyn File>> {
        let file = Arc::new(Blocks::default());
        self.files.lock().insert(name.to_owned(), file.clone());
        Ok(file)
    }

    fn rename(&self, from: &str, to: &str) -> Result<()> {
        let mut files = self.files.lock();
        let file = files.remove(from).ok_or(ErrorKind::NotFound)?;
        files.insert(to.to_owned(), file);
        Ok(())
    }

    fn remove(&self, name: &str) -> Result<()> {
        self.files.lock().remove(name).map(drop).ok_or(ErrorKind::NotFound.into())
    }

    fn sync_names(&self) -> Result<()> {
        Ok(())
    }

    fn salt(&self) -> u64 {
        RandomState::new().hash_one(0)
    }
}

#[derive(Debug, Default)]
struct Blocks(RwLock<Content>);

#[derive(Debug, Default)]
struct Content {
    len: u64,
    blocks: Vec<Option<Box<[u8]>>>,
}

impl Content {
    fn resize(&mut self, len: u64) {
        let count = len.div_ceil(BLOCK as u64) as usize;
        self.blocks.resize_with(count, || None);
        let tail = (len % BLOCK as u64) as usize;
        if len < self.len
            && tail > 0
            && let Some(Some(last)) = self.blocks.last_mut()
        {
            last[tail..].fill(0);
        }
        self.len = len;
    }
}

/// The parts of blocks that `len` bytes at `offset` fall into: (block, start in block, start in buffer, count).
fn parts(offset: u64, len: usize) -> impl Iterator<Item = (usize, usize, usize, usize)> {
    let mut done = 0;
    std::iter::from_fn(move || {
        if done == len {
            return None;
        }
        let at = offset + done as u64;
        let (block, start) = ((at / BLOCK as u64) as usize, (at % BLOCK as u64) as usize);
        let count = (BLOCK - start).min(len - done);
        let part = (block, start, done, count);
        done += count;
        Some(part)
    })
}

impl File for Blocks {
    fn len(&self) -> Result<u64> {
        Ok(self.0.read().len)
    }

    fn read(&self, offset: u64, buffer: &mut [u8]) -> Result<()> {
        let content = self.0.read();
        if offset.checked_add(buffer.len() as u64).is_none_or(|end| end > content.len) {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        for (block, start, at, count) in parts(offset, buffer.len()) {
            match &content.blocks[block] {
                Some(block) => buffer[at..at + count].copy_from_slice(&block[start..start + count]),
                None => buffer[at..at + count].fill(0),
            }
        }
        Ok(())
    }

    fn write(&self, offset: u64, data: &[u8]) -> Result<()> {
        let end = offset.checked_add(data.len() as u64).ok_or(ErrorKind::InvalidInput)?;
        let mut content = self.0.write();
        if end > content.len {
            content.resize(end);
        }
        for (block, start, at, count) in parts(offset, data.len()) {
            let block = content.blocks[block].get_or_insert_with(|| vec![0; BLOCK].into());
            block[start..start + count].copy_from_slice(&data[at..at + count]);
        }
        Ok(())
    }

    fn set_len(&self, len: u64) -> Result<()> {
        self.0.write().resize(len);
        Ok(())
    }

    fn fill(&self, len: u64) -> Result<()> {
        let mut content = self.0.write();
        if len > content.len {
            content.resize(len);
        }
        Ok(())
    }

    fn sync(&self) -> Result<()> {
        Ok(())
    }
}
