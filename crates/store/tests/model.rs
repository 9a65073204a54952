//! Random commits, reads and scans, compared with a map; snapshots are held across checkpoints and reopenings.
#![allow(clippy::unwrap_used)]

mod support;

use espalier_store::{Changes, Direction, Options, Snapshot, Store, io::Memory};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::ops::{Bound, ControlFlow};
use std::sync::Arc;

type Map = BTreeMap<Vec<u8>, Vec<u8>>;

#[derive(Debug, Clone)]
enum Step {
    Commit(Vec<(Vec<u8>, Option<Vec<u8>>)>),
    Hold,
    Release(prop::sample::Index),
    Check(Vec<u8>, Vec<u8>, bool, usize),
    Reopen(bool),
}

fn key() -> impl Strategy<Value = Vec<u8>> {
    // Few and related keys, so that they meet; the empty one and one that is long.
    prop_oneof![
        8 => prop::collection::vec(prop::sample::select(vec![0u8, 1, b'a', 0xff]), 0..4),
        1 => Just(vec![b'k'; 3_000]),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    let value = prop_oneof![3 => prop::collection::vec(any::<u8>(), 0..200).prop_map(Some), 1 => Just(None)];
    prop_oneof![
        12 => prop::collection::vec((key(), value), 0..6).prop_map(Step::Commit),
        2 => Just(Step::Hold),
        1 => any::<prop::sample::Index>().prop_map(Step::Release),
        4 => (key(), key(), any::<bool>(), 0..30usize).prop_map(|(a, b, c, d)| Step::Check(a, b, c, d)),
        1 => any::<bool>().prop_map(Step::Reopen),
    ]
}

fn compare(snapshot: &Snapshot, map: &Map, from: &[u8], to: &[u8], forward: bool, limit: usize) {
    assert_eq!(snapshot.get(from).unwrap().as_deref(), map.get(from).map(|value| &value[..]));
    let length = snapshot.get_with(to, <[u8]>::len).unwrap();
    assert_eq!(length, map.get(to).map(Vec::len));
    let direction = if forward { Direction::Forward } else { Direction::Backward };
    let bounds = [
        (Bound::Included(from), Bound::Excluded(to)),
        (Bound::Excluded(from), Bound::Unbounded),
        (Bound::Unbounded, Bound::Included(to)),
    ];
    for (low, high) in bounds {
        let mut found = Vec::new();
        let mut visit = |key: &[u8], value: &[u8]| {
            found.push((key.to_vec(), value.to_vec()));
            if found.len() > limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        snapshot.scan(low, high, direction, &mut visit).unwrap();
        let inside = |key: &&Vec<u8>| {
            (match low {
                Bound::Included(low) => &key[..] >= low,
                Bound::Excluded(low) => &key[..] > low,
                Bound::Unbounded => true,
            }) && match high {
                Bound::Included(high) => &key[..] <= high,
                Bound::Excluded(high) => &key[..] < high,
                Bound::Unbounded => true,
            }
        };
        let mut expected: Vec<_> =
            map.iter().filter(|(key, _)| inside(key)).map(|(k, v)| (k.clone(), v.clone())).collect();
        if !forward {
            expected.reverse();
        }
        expected.truncate(limit + 1);
        assert_eq!(found, expected);
    }
}

fn run(steps: Vec<Step>, options: Options) {
    let io = Arc::new(Memory::new());
    let mut store = Store::open_with(io.clone(), options.clone()).unwrap();
    let mut map = Map::new();
    let mut held: Vec<(Snapshot, Map)> = Vec::new();
    for step in steps {
        match step {
            Step::Commit(entries) => {
                let mut changes = Changes::new();
                for (key, value) in entries {
                    match value {
                        Some(value) => {
                            changes.put(key.clone(), value.clone());
                            map.insert(key, value);
                        }
                        None => {
                            changes.delete(key.clone());
                            map.remove(&key);
                        }
                    }
                }
                let commit = store.commit(changes);
                compare(&store.latest(), &map, b"a", b"\xff", true, 100);
                commit.wait().unwrap();
            }
            Step::Hold => held.push((store.snapshot(), map.clone())),
            Step::Release(index) if !held.is_empty() => drop(held.swap_remove(index.index(held.len()))),
            Step::Release(_) => {}
            Step::Check(from, to, forward, limit) => {
                compare(&store.snapshot(), &map, &from, &to, forward, limit);
                for (snapshot, map) in &held {
                    compare(snapshot, map, &from, &to, forward, limit);
                }
            }
            Step::Reopen(clean) => {
                held.clear();
                if clean {
                    store.close().unwrap();
                }
                drop(store);
                store = Store::open_with(io.clone(), options.clone()).unwrap();
            }
        }
    }
    compare(&store.snapshot(), &map, b"", b"\xff\xff\xff\xff", true, 1_000);
    for (snapshot, map) in &held {
        compare(snapshot, map, b"", b"\xff\xff\xff\xff", false, 1_000);
    }
}

fn small(background: bool) -> Options {
    Options {
        recent_bytes: 3_000,
        segment_bytes: 8 * 1024,
        spare_segments: 2,
        cache_bytes: 1024 * 1024,
        chunk_entries: 7,
        background,
    }
}

#[test]
fn every_read_equals_the_map() {
    let cases = support::count(48) as u32;
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    proptest!(config, |(steps in prop::collection::vec(step(), 1..120), background in any::<bool>())| {
        run(steps, small(background));
    });
}

#[test]
fn many_writers_and_readers_agree() {
    // Each commit writes the same number under ten keys; a snapshot that sees two numbers is torn.
    let options = Options { recent_bytes: 20_000, ..small(true) };
    let store = Store::in_memory(options).unwrap();
    let turn = parking_lot::Mutex::new(0u64);
    let rounds = support::count(20) * 20;
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..rounds {
                    let commit = {
                        let mut number = turn.lock();
                        let latest = store.latest().get(b"key 3").unwrap();
                        assert_eq!(latest.map_or(0, |value| value.len() as u64), *number % 300);
                        *number += 1;
                        let mut changes = Changes::new();
                        for key in 0..10 {
                            changes.put(format!("key {key}"), vec![*number as u8; (*number % 300) as usize]);
                        }
                        store.commit(changes)
                    };
                    let sequence = commit.wait().unwrap();
                    assert!(store.snapshot().sequence() >= sequence);
                }
            });
        }
        for _ in 0..2 {
            scope.spawn(|| {
                for _ in 0..rounds * 4 {
                    let snapshot = store.snapshot();
                    let mut lengths = Vec::new();
                    let mut visit = |_: &[u8], value: &[u8]| {
                        lengths.push(value.len() as u64);
                        ControlFlow::Continue(())
                    };
                    snapshot.scan(Bound::Unbounded, Bound::Unbounded, Direction::Forward, &mut visit).unwrap();
                    let expected = snapshot.sequence() % 300;
                    assert!(lengths.iter().all(|length| *length == expected), "{lengths:?} {expected}");
                    assert_eq!(lengths.len(), if snapshot.sequence() == 0 { 0 } else { 10 });
                }
            });
        }
    });
    assert_eq!(store.snapshot().sequence(), 8 * rounds);
    assert!(store.stats().checkpoints > 0);
}
