//! Power cuts: at every sync, at random calls, during recovery, and during the recovery of that.
//!
//! After each the store must open and hold a prefix of the history that contains every acknowledged commit.
#![allow(clippy::unwrap_used)]

mod support;

use espalier_store::fault::{Call, Disk, Moment, Random};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use support::{Replay, changes, check, open, seeds, tiny, work};

/// Opens what a cut left; while that is going on, cuts again, `depth` times.
fn recover(moment: &Moment, seed: u64, cut: u64, depth: u32, cuts: &Arc<AtomicU64>) {
    cuts.fetch_add(1, Ordering::Relaxed);
    let disk = moment.crash(cut);
    let acknowledged = moment.note;
    if depth > 0 {
        let mut random = Random::new(cut ^ 0xdead);
        // Not all moments of a recovery, but each of them in some case.
        let (every, mut number) = (1 + random.below(4), random.below(4));
        let cuts = cuts.clone();
        let kinds = [Call::Sync, Call::Write, Call::SyncNames, Call::Rename, Call::SetLen];
        disk.watch(&kinds, move |_, moment| {
            number += 1;
            if number.is_multiple_of(every) {
                recover(&moment, seed, random.next(), depth - 1, &cuts);
            }
        });
    }
    let store = open(&disk, tiny(false)).unwrap_or_else(|error| panic!("cut {cut}: {error}"));
    let sequence = check(&store, seed, acknowledged);
    disk.note(sequence);
    // It is not enough to open: the store must go on from there, through more checkpoints.
    work(&disk, &store, seed, sequence + 3).unwrap();
    disk.unwatch();
    work(&disk, &store, seed, sequence + 8).unwrap();
    check(&store, seed, sequence + 8);
}

#[test]
fn a_cut_at_every_sync_loses_nothing_acknowledged() {
    let cuts = Arc::new(AtomicU64::new(0));
    for seed in seeds(2) {
        let _replay = Replay(seed);
        let disk = Disk::new(seed);
        let (mut random, counter) = (Random::new(seed), cuts.clone());
        disk.watch(&[Call::Sync, Call::SyncNames], move |_, moment| {
            recover(&moment, seed, random.next(), 0, &counter);
            recover(&moment, seed, random.next(), 0, &counter);
        });
        let store = open(&disk, tiny(false)).unwrap();
        work(&disk, &store, seed, 60).unwrap();
        assert!(store.stats().checkpoints >= 2, "{:?}", store.stats());
        store.close().unwrap();
        disk.unwatch();
    }
    eprintln!("{} cuts at syncs", cuts.load(Ordering::Relaxed));
}

#[test]
fn a_cut_at_any_call_loses_nothing_acknowledged() {
    let cuts = Arc::new(AtomicU64::new(0));
    for seed in seeds(3) {
        let _replay = Replay(seed);
        let disk = Disk::new(seed);
        let (mut random, counter) = (Random::new(seed), cuts.clone());
        disk.watch(&Call::ALL, move |_, moment| {
            if random.below(24) == 0 {
                recover(&moment, seed, random.next(), 0, &counter);
            }
        });
        let store = open(&disk, tiny(false)).unwrap();
        work(&disk, &store, seed, 60).unwrap();
        drop(store);
    }
    eprintln!("{} cuts at calls", cuts.load(Ordering::Relaxed));
}

#[test]
fn cuts_during_recovery_and_its_recovery_lose_nothing_acknowledged() {
    let cuts = Arc::new(AtomicU64::new(0));
    for seed in seeds(2) {
        let _replay = Replay(seed);
        let disk = Disk::new(seed);
        let (mut random, counter) = (Random::new(seed), cuts.clone());
        disk.watch(&[Call::Sync, Call::Write, Call::SyncNames], move |_, moment| {
            if random.below(250) == 0 {
                recover(&moment, seed, random.next(), 2, &counter);
            }
        });
        let store = open(&disk, tiny(false)).unwrap();
        work(&disk, &store, seed, 60).unwrap();
        drop(store);
    }
    eprintln!("{} nested cuts", cuts.load(Ordering::Relaxed));
}

struct Done<'a>(&'a AtomicBool);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn a_cut_under_threads_loses_nothing_acknowledged() {
    // With threads the moments depend on chance; what must hold does not. Commits come in bunches, so that frames hold
    // several and checkpoints end in the middle of one.
    let cuts = Arc::new(AtomicU64::new(0));
    for seed in seeds(6) {
        let _replay = Replay(seed);
        let disk = Disk::new(seed);
        let (mut random, counter) = (Random::new(seed), cuts.clone());
        disk.watch(&[Call::Sync, Call::Write], move |_, moment| {
            if random.below(16) == 0 {
                recover(&moment, seed, random.next(), 0, &counter);
            }
        });
        let store = open(&disk, tiny(true)).unwrap();
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                // What somebody has read counts like what was acknowledged.
                while !done.load(Ordering::Relaxed) {
                    disk.note(store.snapshot().sequence());
                    std::thread::yield_now();
                }
            });
            // Also when a commit fails, or the test would hang instead of saying so.
            let _done = Done(&done);
            let (mut random, mut sequence) = (Random::new(seed), 0);
            while sequence < 150 {
                let last = sequence + 1 + random.below(12);
                let commits: Vec<_> = (sequence + 1..=last).map(|number| store.commit(changes(seed, number))).collect();
                for commit in commits {
                    sequence = commit.wait().unwrap();
                    disk.note(sequence);
                }
            }
        });
        let stats = store.stats();
        assert!(stats.syncs < stats.commits && stats.checkpoints > 0, "{stats:?}");
        drop(store);
        disk.unwatch();
    }
    eprintln!("{} cuts under threads", cuts.load(Ordering::Relaxed));
}

#[test]
fn what_a_reader_saw_after_the_end_of_a_process_survives_a_cut() {
    for seed in seeds(6) {
        let _replay = Replay(seed);
        let disk = Disk::new(seed);
        let mut random = Random::new(seed);
        disk.watch(&[Call::Sync], move |_, moment| {
            if random.below(4) == 0 {
                // The process ends before the sync; the next one reads what is in the system's cache, and shows it.
                let killed = moment.kill(random.next());
                let store = open(&killed, tiny(false)).unwrap();
                let seen = check(&store, seed, moment.note);
                let store = open(&killed.moment().crash(random.next()), tiny(false)).unwrap();
                check(&store, seed, seen);
            }
        });
        let store = open(&disk, tiny(false)).unwrap();
        work(&disk, &store, seed, 60).unwrap();
        disk.unwatch();
    }
}

#[test]
fn the_end_of_the_process_alone_loses_nothing() {
    for seed in seeds(4) {
        let _replay = Replay(seed);
        let disk = Disk::new(seed);
        let store = open(&disk, tiny(false)).unwrap();
        work(&disk, &store, seed, 45).unwrap();
        let killed = disk.moment().kill(seed);
        let again = open(&killed, tiny(false)).unwrap();
        assert_eq!(check(&again, seed, 45), 45);
    }
}
