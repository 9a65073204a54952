//! The everyday behaviour of a store, on a real folder and in memory.
#![allow(clippy::unwrap_used)]

use espalier_store::{Changes, Direction, Error, Options, Snapshot, Store};
use std::ops::{Bound, ControlFlow};

fn put(key: &str, value: &str) -> Changes {
    let mut changes = Changes::new();
    changes.put(key.to_owned(), value.to_owned());
    changes
}

fn all(snapshot: &Snapshot, direction: Direction) -> Vec<(String, String)> {
    let mut entries = Vec::new();
    let mut visit = |key: &[u8], value: &[u8]| {
        entries.push((String::from_utf8_lossy(key).into(), String::from_utf8_lossy(value).into()));
        ControlFlow::Continue(())
    };
    snapshot.scan(Bound::Unbounded, Bound::Unbounded, direction, &mut visit).unwrap();
    entries
}

#[test]
fn closed_and_reopened_it_is_all_there_and_nothing_is_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new/store");
    let store = Store::open(&path, Options::default()).unwrap();
    for number in 0..100 {
        store.commit(put(&format!("key {number:03}"), &number.to_string())).wait().unwrap();
    }
    let mut delete = Changes::new();
    delete.delete("key 050");
    assert_eq!(store.commit(delete).wait().unwrap(), 101);
    store.close().unwrap();
    store.close().unwrap();
    assert!(matches!(store.commit(put("a", "b")).wait(), Err(Error::Closed)));
    let store = Store::open(&path, Options::default()).unwrap();
    assert_eq!(store.stats().recent_bytes, 0);
    assert_eq!(store.snapshot().sequence(), 101);
    let entries = all(&store.snapshot(), Direction::Forward);
    assert_eq!(entries.len(), 99);
    let mut backward = all(&store.snapshot(), Direction::Backward);
    backward.reverse();
    assert_eq!(entries, backward);
    assert_eq!(store.snapshot().get(b"key 050").unwrap(), None);
    assert_eq!(store.snapshot().get(b"key 051").unwrap().as_deref(), Some(&b"51"[..]));
}

#[test]
fn dropped_without_close_it_is_all_there() {
    let folder = tempfile::tempdir().unwrap();
    for round in 0..5u64 {
        let store = Store::open(folder.path(), Options::default()).unwrap();
        assert_eq!(all(&store.snapshot(), Direction::Forward).len() as u64, round * 20);
        for number in 0..20 {
            // Not waited for: an orderly stop still writes what is queued.
            drop(store.commit(put(&format!("{round} {number}"), "value")));
        }
    }
}

#[test]
fn a_second_handle_is_refused_while_the_first_lives() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path(), Options::default()).unwrap();
    let error = Store::open(folder.path(), Options::default()).unwrap_err();
    assert!(matches!(error, Error::Locked { .. }), "{error}");
    drop(store);
    Store::open(folder.path(), Options::default()).unwrap();
}

#[test]
fn latest_shows_a_commit_at_once_and_empty_changes_wait_for_it() {
    let store = Store::in_memory(Options::default()).unwrap();
    let commit = store.commit(put("a", "1"));
    assert_eq!(store.latest().get(b"a").unwrap().as_deref(), Some(&b"1"[..]));
    assert_eq!(store.commit(Changes::new()).wait().unwrap(), 1);
    assert_eq!(store.snapshot().get(b"a").unwrap().as_deref(), Some(&b"1"[..]));
    assert_eq!(commit.wait().unwrap(), 1);
}

#[test]
fn bounds_are_honoured_and_empty_ranges_are_empty() {
    let store = Store::in_memory(Options::default()).unwrap();
    for key in ["a", "b", "c"] {
        store.commit(put(key, key)).wait().unwrap();
    }
    let keys = |from, to| {
        let mut keys = String::new();
        let mut visit = |key: &[u8], _: &[u8]| {
            keys.push_str(&String::from_utf8_lossy(key));
            ControlFlow::Continue(())
        };
        store.snapshot().scan(from, to, Direction::Forward, &mut visit).unwrap();
        keys
    };
    use Bound::{Excluded, Included, Unbounded};
    assert_eq!(keys(Included(b"a"), Excluded(b"c")), "ab");
    assert_eq!(keys(Excluded(b"a"), Included(b"c")), "bc");
    assert_eq!(keys(Unbounded, Included(b"b")), "ab");
    assert_eq!(keys(Excluded(b"b"), Excluded(b"b")), "");
    assert_eq!(keys(Included(b"b"), Included(b"b")), "b");
    assert_eq!(keys(Included(b"c"), Included(b"a")), "");
}

#[test]
fn large_changes_and_large_values_pass() {
    let folder = tempfile::tempdir().unwrap();
    let options = Options { segment_bytes: 64 * 1024, ..Options::default() };
    let store = Store::open(folder.path(), options.clone()).unwrap();
    let value = "x".repeat(3_000_000);
    store.commit(put("large", &value)).wait().unwrap();
    let mut many = Changes::new();
    for number in 0..50_000 {
        many.put(format!("{number:08}"), "value");
    }
    store.commit(many).wait().unwrap();
    drop(store);
    let store = Store::open(folder.path(), options).unwrap();
    assert_eq!(store.snapshot().get(b"large").unwrap().unwrap().len(), 3_000_000);
    assert_eq!(all(&store.snapshot(), Direction::Forward).len(), 50_001);
}
