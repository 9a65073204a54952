//! The content of a simulated file: what is written, what of it is synced, and what happened in between.

use super::random::Random;
use std::collections::BTreeSet;
use std::io::{ErrorKind, Result};
use std::sync::Arc;

/// What a disk writes as a whole or not at all.
const SECTOR: usize = 512;
/// What a file system hands out.
const BLOCK: u64 = 4096;

#[derive(Debug, Clone, Default)]
pub(super) struct Content {
    /// What a reader sees.
    pub(super) data: Vec<u8>,
    synced: Arc<Vec<u8>>,
    /// What was done since the last sync, in order.
    changes: Vec<Change>,
    /// Blocks that take room.
    blocks: BTreeSet<u64>,
}

#[derive(Debug, Clone)]
enum Change {
    Write(u64, Arc<[u8]>),
    SetLen(u64),
}

impl Content {
    pub(super) fn read(&self, offset: u64, buffer: &mut [u8]) -> Result<()> {
        let end = offset.checked_add(buffer.len() as u64).filter(|end| *end <= self.data.len() as u64);
        let end = end.ok_or(ErrorKind::UnexpectedEof)?;
        buffer.copy_from_slice(&self.data[offset as usize..end as usize]);
        Ok(())
    }

    /// Bytes of new blocks that a write takes.
    pub(super) fn needs(&self, offset: u64, len: usize) -> u64 {
        let blocks = offset / BLOCK..(offset + len as u64).div_ceil(BLOCK);
        blocks.filter(|block| !self.blocks.contains(block)).count() as u64 * BLOCK
    }

    pub(super) fn used(&self) -> u64 {
        self.blocks.len() as u64 * BLOCK
    }

    pub(super) fn write(&mut self, offset: u64, data: &[u8]) {
        self.blocks.extend(offset / BLOCK..(offset + data.len() as u64).div_ceil(BLOCK));
        put(&mut self.data, offset as usize, data);
        self.changes.push(Change::Write(offset, data.into()));
    }

    pub(super) fn set_len(&mut self, len: u64) -> Result<()> {
        if len > 1 << 32 {
            return Err(ErrorKind::InvalidInput.into());
        }
        self.data.resize(len as usize, 0);
        self.blocks.split_off(&len.div_ceil(BLOCK));
        self.changes.push(Change::SetLen(len));
        Ok(())
    }

    pub(super) fn sync(&mut self) {
        if self.changes.is_empty() {
            return;
        }
        // The films of a test share the synced content; it is copied only when they have a part in it.
        let synced = Arc::make_mut(&mut self.synced);
        for change in self.changes.drain(..) {
            match change {
                Change::Write(offset, data) => put(synced, offset as usize, &data),
                Change::SetLen(len) => synced.resize(len as usize, 0),
            }
        }
    }

    pub(super) fn damage(&mut self, damage: impl FnOnce(&mut Vec<u8>)) {
        self.sync();
        damage(&mut self.data);
        self.synced = Arc::new(self.data.clone());
    }

    /// What a power cut could leave, when of a hundred unsynced sectors `keep` survive.
    pub(super) fn crash(&self, random: &mut Random, keep: u64) -> Content {
        let mut data = (*self.synced).clone();
        for change in &self.changes {
            match change {
                Change::SetLen(len) => {
                    if random.below(100) < keep {
                        data.resize(*len as usize, 0);
                    }
                }
                Change::Write(offset, bytes) => {
                    let mut at = 0;
                    while at < bytes.len() {
                        let start = *offset as usize + at;
                        let count = (SECTOR - start % SECTOR).min(bytes.len() - at);
                        if random.below(100) < keep {
                            put(&mut data, start, &bytes[at..at + count]);
                        }
                        at += count;
                    }
                }
            }
        }
        let blocks = self.blocks.range(..(data.len() as u64).div_ceil(BLOCK)).copied().collect();
        Content { synced: Arc::new(data.clone()), data, changes: Vec::new(), blocks }
    }
}

fn put(data: &mut Vec<u8>, offset: usize, bytes: &[u8]) {
    let end = offset + bytes.len();
    if data.len() < end {
        data.resize(end, 0);
    }
    data[offset..end].copy_from_slice(bytes);
}
