//! What the tests of this folder share: how much to run, and a workload whose every state can be told from a number.
#![allow(dead_code, clippy::unwrap_used)]

use espalier_store::fault::{Disk, Random};
use espalier_store::{Changes, Direction, Error, Options, Snapshot, Store};
use std::collections::BTreeMap;
use std::ops::{Bound, ControlFlow};
use std::sync::Arc;

/// How many cases to run: `usual`, or ESPALIER_SEEDS.
pub(crate) fn count(usual: u64) -> u64 {
    std::env::var("ESPALIER_SEEDS").ok().and_then(|count| count.parse().ok()).unwrap_or(usual)
}

/// The seeds to run: ESPALIER_SEED alone to replay one, or as many as [`count`] says.
pub(crate) fn seeds(usual: u64) -> std::ops::Range<u64> {
    match std::env::var("ESPALIER_SEED").ok().and_then(|seed| seed.parse::<u64>().ok()) {
        Some(seed) => seed..seed + 1,
        None => 0..count(usual),
    }
}

/// Prints how to repeat a case if it panics.
pub(crate) struct Replay(pub(crate) u64);

impl Drop for Replay {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("replay with ESPALIER_SEED={}", self.0);
        }
    }
}

pub(crate) type Map = BTreeMap<Vec<u8>, Vec<u8>>;

/// Sizes at which a few dozen commits fill segments and cause checkpoints.
pub(crate) fn tiny(background: bool) -> Options {
    Options {
        recent_bytes: 6_000,
        segment_bytes: 8 * 1024,
        spare_segments: 2,
        cache_bytes: 1024 * 1024,
        chunk_entries: 9,
        background,
    }
}

pub(crate) fn open(disk: &Disk, options: Options) -> Result<Store, Error> {
    Store::open_with(Arc::new(disk.clone()), options)
}

/// The changes of commit `sequence` in the history of `seed`: the same whenever asked.
pub(crate) fn changes(seed: u64, sequence: u64) -> Changes {
    let mut random = Random::new(seed ^ sequence.wrapping_mul(0x1234_5678_9abc_def1));
    let mut changes = Changes::new();
    for _ in 0..1 + random.below(5) {
        let key = format!("key {:02}", random.below(40));
        if random.below(4) == 0 {
            changes.delete(key);
        } else {
            let length = [0, 10, 100, 700, 2_000][random.below(5) as usize];
            changes.put(key, vec![random.next() as u8; length]);
        }
    }
    changes.put("sequence", sequence.to_be_bytes().to_vec());
    changes
}

/// The state after the first `count` commits.
pub(crate) fn expected(seed: u64, count: u64) -> Map {
    let mut map = Map::new();
    // The same seed of choices as `changes`, without needing to look into one.
    for sequence in 1..=count {
        let mut random = Random::new(seed ^ sequence.wrapping_mul(0x1234_5678_9abc_def1));
        for _ in 0..1 + random.below(5) {
            let key = format!("key {:02}", random.below(40)).into_bytes();
            if random.below(4) == 0 {
                map.remove(&key);
            } else {
                let length = [0, 10, 100, 700, 2_000][random.below(5) as usize];
                map.insert(key, vec![random.next() as u8; length]);
            }
        }
        map.insert(b"sequence".to_vec(), sequence.to_be_bytes().to_vec());
    }
    map
}

pub(crate) fn read(snapshot: &Snapshot) -> Result<Map, Error> {
    let mut map = Map::new();
    let mut visit = |key: &[u8], value: &[u8]| {
        map.insert(key.to_vec(), value.to_vec());
        ControlFlow::Continue(())
    };
    snapshot.scan(Bound::Unbounded, Bound::Unbounded, Direction::Forward, &mut visit)?;
    Ok(map)
}

/// Checks that a store holds a prefix of the history of `seed` with at least `acknowledged` commits, and returns how
/// many it has.
pub(crate) fn check(store: &Store, seed: u64, acknowledged: u64) -> u64 {
    let snapshot = store.snapshot();
    let sequence = snapshot.sequence();
    assert!(sequence >= acknowledged, "lost: {acknowledged} were acknowledged, {sequence} are there");
    assert_eq!(store.latest().sequence(), sequence);
    let found = read(&snapshot).unwrap();
    assert!(found == expected(seed, sequence), "the state is not what {sequence} commits make");
    sequence
}

/// Commits until `until`, noting acknowledgements on the disk. Stops at the first failure.
pub(crate) fn work(disk: &Disk, store: &Store, seed: u64, until: u64) -> Result<u64, Error> {
    let mut sequence = store.latest().sequence();
    while sequence < until {
        sequence = store.commit(changes(seed, sequence + 1)).wait()?;
        disk.note(sequence);
    }
    Ok(sequence)
}
