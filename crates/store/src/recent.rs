//! Recent: what the log holds and the tree does not have yet, ordered, in memory.
//!
//! A `BTreeMap` from key to a short chain of versions, newest first, under a read-write lock. A reader with
//! sequence number *s* sees of each key the newest version that is not newer than *s*. Old versions that no living
//! snapshot can see are dropped when a key is written again, so a key that is written all the time stays short.
//!
//! Nobody calls foreign code while holding the lock: scans copy a page of (reference-counted) entries and let go.

use crate::changes::Changes;
use crate::live::Live;
use crate::snapshot::Direction;
use bytes::Bytes;
use parking_lot::RwLock;
use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What an entry of the map takes beside its key and value: handles, chain, its share of a map node, and what the
/// allocator and the reference counts add.
const ENTRY: usize = 224;
/// What an older version takes beside its value.
const VERSION: usize = 56;

/// The newest changes. Grows while it is active; never changes once it is frozen.
#[derive(Debug, Default)]
pub(crate) struct Recent {
    map: RwLock<BTreeMap<Bytes, Chain>>,
    bytes: AtomicUsize,
    entries: AtomicUsize,
}

#[derive(Debug)]
struct Chain {
    newest: Version,
    /// Newest last, so that a write is a push.
    older: Vec<Version>,
}

/// A value, or `None` for a deleted key, since a sequence number.
#[derive(Debug)]
struct Version {
    sequence: u64,
    value: Option<Bytes>,
}

impl Version {
    fn bytes(&self) -> usize {
        VERSION + self.value.as_ref().map_or(0, Bytes::len)
    }
}

impl Chain {
    fn at(&self, sequence: u64) -> Option<&Option<Bytes>> {
        if self.newest.sequence <= sequence {
            return Some(&self.newest.value);
        }
        self.older.iter().rev().find(|version| version.sequence <= sequence).map(|version| &version.value)
    }

    /// Drops versions that no snapshot can see, now or later. Returns the bytes that were freed.
    fn prune(&mut self, live: &Live) -> usize {
        let view = live.view();
        let mut freed = 0;
        let mut kept = 0;
        for index in 0..self.older.len() {
            let successor = self.older.get(index + 1).unwrap_or(&self.newest).sequence;
            if view.can_see(self.older[index].sequence, successor) {
                self.older.swap(kept, index);
                kept += 1;
            } else {
                freed += self.older[index].bytes();
            }
        }
        self.older.truncate(kept);
        freed
    }
}

impl Recent {
    /// Makes `changes` visible to readers at `sequence` and later.
    pub(crate) fn apply(&self, sequence: u64, changes: Changes, live: &Live) {
        let (mut added, mut freed) = (0, 0);
        let mut map = self.map.write();
        for (key, value) in changes.entries {
            let version = Version { sequence, value };
            added += version.bytes();
            let size = key.len();
            match map.entry(key) {
                std::collections::btree_map::Entry::Vacant(entry) => {
                    added += size + ENTRY - VERSION;
                    entry.insert(Chain { newest: version, older: Vec::new() });
                }
                std::collections::btree_map::Entry::Occupied(entry) => {
                    let chain = entry.into_mut();
                    let old = std::mem::replace(&mut chain.newest, version);
                    if old.sequence == sequence {
                        freed += old.bytes();
                        continue;
                    }
                    chain.older.push(old);
                    // At powers of two, so that many living snapshots do not make each write walk the chain.
                    if chain.older.len() >= 4 && chain.older.len().is_power_of_two() {
                        freed += chain.prune(live);
                    }
                }
            }
        }
        self.entries.store(map.len(), Ordering::Release);
        drop(map);
        self.bytes.fetch_add(added, Ordering::Relaxed);
        self.bytes.fetch_sub(freed, Ordering::Relaxed);
    }

    /// `None` when nothing is known here about `key` at `sequence`; `Some(None)` when it was deleted.
    pub(crate) fn get(&self, key: &[u8], sequence: u64) -> Option<Option<Bytes>> {
        if self.is_empty() {
            return None;
        }
        self.map.read().get(key)?.at(sequence).cloned()
    }

    /// Bytes of memory, about.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Number of keys.
    pub(crate) fn len(&self) -> usize {
        self.entries.load(Ordering::Acquire)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Newest version of up to `count` keys after `after`, for the checkpoint.
    pub(crate) fn page(&self, after: Bound<&[u8]>, count: usize) -> Vec<(Bytes, Option<Bytes>)> {
        let map = self.map.read();
        let range = map.range::<[u8], _>((after, Bound::Unbounded)).take(count);
        range.map(|(key, chain)| (key.clone(), chain.newest.value.clone())).collect()
    }

    /// Number of versions of all keys, for tests.
    #[cfg(test)]
    fn versions(&self) -> usize {
        self.map.read().values().map(|chain| 1 + chain.older.len()).sum()
    }
}

/// Walks through a part of [`Recent`] in order, page by page.
pub(crate) struct Cursor<'a> {
    recent: &'a Recent,
    sequence: u64,
    direction: Direction,
    from: Bound<Bytes>,
    to: Bound<Bytes>,
    /// Reversed, so that taking the next entry is a pop.
    page: Vec<(Bytes, Option<Bytes>)>,
    size: usize,
    done: bool,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(
        recent: &'a Recent,
        sequence: u64,
        from: Bound<&[u8]>,
        to: Bound<&[u8]>,
        direction: Direction,
    ) -> Cursor<'a> {
        let done = recent.is_empty();
        let own = |bound: Bound<&[u8]>| if done { Bound::Unbounded } else { bound.map(Bytes::copy_from_slice) };
        Cursor { recent, sequence, direction, from: own(from), to: own(to), page: Vec::new(), size: 16, done }
    }

    /// The next entry, without taking it.
    pub(crate) fn peek(&mut self) -> Option<&(Bytes, Option<Bytes>)> {
        if self.page.is_empty() && !self.done {
            self.turn();
        }
        self.page.last()
    }

    /// Takes the entry that [`Cursor::peek`] showed.
    pub(crate) fn take(&mut self) -> Option<(Bytes, Option<Bytes>)> {
        self.page.pop()
    }

    fn turn(&mut self) {
        let (from, to) = (as_slice(&self.from), as_slice(&self.to));
        let map = self.recent.map.read();
        let mut range = map.range::<[u8], _>((from, to));
        let entries = std::iter::from_fn(|| match self.direction {
            Direction::Forward => range.next(),
            Direction::Backward => range.next_back(),
        });
        let visible = entries.filter_map(|(key, chain)| Some((key.clone(), chain.at(self.sequence)?.clone())));
        self.page.extend(visible.take(self.size));
        drop(map);
        self.done = self.page.len() < self.size;
        if let Some((last, _)) = self.page.last() {
            match self.direction {
                Direction::Forward => self.from = Bound::Excluded(last.clone()),
                Direction::Backward => self.to = Bound::Excluded(last.clone()),
            }
        }
        self.page.reverse();
        self.size = (self.size * 4).min(512);
    }
}

fn as_slice(bound: &Bound<Bytes>) -> Bound<&[u8]> {
    match bound {
        Bound::Included(key) => Bound::Included(key),
        Bound::Excluded(key) => Bound::Excluded(key),
        Bound::Unbounded => Bound::Unbounded,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(value: u64) -> Changes {
        let mut changes = Changes::new();
        changes.put("hot", value.to_string());
        changes
    }

    #[test]
    fn a_hot_key_stays_short_and_a_held_snapshot_keeps_its_version() {
        let (recent, live) = (Recent::default(), Live::default());
        let held = live.hold_for_test(500);
        for sequence in 1..=10_000 {
            recent.apply(sequence, put(sequence), &live);
            live.publish_for_test(sequence);
        }
        assert!(recent.versions() <= 10, "{}", recent.versions());
        assert_eq!(recent.get(b"hot", 500), Some(Some("500".into())));
        assert_eq!(recent.get(b"hot", 10_000), Some(Some("10000".into())));
        drop(held);
        for sequence in 10_001..=10_010 {
            recent.apply(sequence, put(sequence), &live);
            live.publish_for_test(sequence);
        }
        assert_eq!(recent.get(b"hot", 500), None);
        assert!(recent.bytes() < 2_000, "{}", recent.bytes());
    }

    #[test]
    fn what_is_not_durable_yet_is_never_pruned() {
        let (recent, live) = (Recent::default(), Live::default());
        for sequence in 1..=100 {
            recent.apply(sequence, put(sequence), &live);
        }
        for sequence in 1..=100 {
            assert_eq!(recent.get(b"hot", sequence), Some(Some(sequence.to_string().into())));
        }
    }
}
