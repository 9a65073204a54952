//! Power cuts: at every sync, at random calls, during recovery, and during the recovery of that.
//!
//! After each the store must open and hold a prefix of the history that contains every acknowledged commit.

mod support;

use espalier_store::fault::{Call, Disk, Moment, Random};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use support::{Replay, check, open, seeds, tiny, work};

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
            if random.below(8) == 0 {
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
            if random.below(150) == 0 {
                recover(&moment, seed, random.next(), 2, &counter);
            }
        });
        let store = open(&disk, tiny(false)).unwrap();
        work(&disk, &store, seed, 60).unwrap();
        drop(store);
    }
    eprintln!("{} nested cuts", cuts.load(Ordering::Relaxed));
}

#[test]
fn a_cut_under_threads_loses_nothing_acknowledged() {
    // With threads the moments depend on chance; what must hold does not.
    for seed in seeds(8) {
        let _replay = Replay(seed);
        let disk = Disk::new(seed);
        let store = open(&disk, tiny(true)).unwrap();
        let moments = std::sync::Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            let worker = scope.spawn(|| work(&disk, &store, seed, 150).unwrap());
            while !worker.is_finished() {
                moments.lock().unwrap().push(disk.moment());
                std::thread::sleep(std::time::Duration::from_micros(300));
            }
        });
        drop(store);
        let cuts = Arc::new(AtomicU64::new(0));
        let mut moments = moments.into_inner().unwrap();
        moments.truncate(12);
        for (number, moment) in moments.iter().enumerate() {
            recover(moment, seed, seed * 1_000 + number as u64, 0, &cuts);
        }
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
