//! Calls that fail, once and for ever, and disks without room.
//!
//! Whatever fails: no panic, no false acknowledgement, reads go on where reading works, and after the disk is well
//! again the store opens with every acknowledged commit.
#![allow(clippy::unwrap_used)]

mod support;

use espalier_store::fault::{Call, Disk, Fault, Random};
use espalier_store::{Changes, Error, Store};
use std::io::ErrorKind;
use std::time::{Duration, Instant};
use support::{Replay, check, expected, open, read, seeds, tiny, work};

/// Runs a workload on a disk that fails as told. Returns whether the fault was met.
fn run(seed: u64, fault: Fault) -> bool {
    let disk = Disk::new(seed);
    // A history to recover, so that faults meet the replay too.
    let store = open(&disk, tiny(false)).unwrap();
    work(&disk, &store, seed, 25).unwrap();
    drop(store);
    disk.fail(fault.clone());
    let mut failed = false;
    match open(&disk, tiny(false)) {
        Err(error) => {
            assert!(!matches!(error, Error::Corrupt { .. }), "a failing call is not damage: {error}");
            failed = true;
        }
        Ok(store) => {
            if let Err(error) = work(&disk, &store, seed, 70) {
                failed = true;
                assert!(matches!(error, Error::Poisoned { .. }), "{error}");
                let again = store.commit(support::changes(seed, 1)).wait();
                assert!(matches!(again, Err(Error::Poisoned { .. })), "refused until reopened");
            }
            let acknowledged = disk.moment().note;
            let snapshot = store.snapshot();
            assert!(snapshot.sequence() >= acknowledged);
            // Reads do not stop because writing failed.
            match read(&snapshot) {
                Ok(found) => assert!(found == expected(seed, snapshot.sequence())),
                Err(error) => assert!(matches!(fault.call, None | Some(Call::Read)), "{error}"),
            }
            failed |= store.close().is_err();
        }
    }
    disk.heal();
    let store = open(&disk, tiny(false)).unwrap();
    check(&store, seed, disk.moment().note);
    // The power goes, too: what the failure left in the cache must not matter.
    let cut = disk.moment().crash(seed);
    drop(store);
    let store = open(&cut, tiny(false)).unwrap();
    let sequence = check(&store, seed, disk.moment().note);
    work(&cut, &store, seed, sequence + 10).unwrap();
    failed
}

#[test]
fn the_nth_call_fails_once_and_for_ever() {
    let mut met = 0;
    for seed in seeds(1) {
        let _replay = Replay(seed);
        for call in Call::ALL.map(Some).into_iter().chain([None]) {
            for forever in [false, true] {
                // Some of the numbers in a short run, and each of them in a long one.
                let step = if support::count(0) == 0 { 23 } else { 1 };
                let mut after = seed % step;
                loop {
                    let fault = Fault { call, after, forever, error: ErrorKind::Other };
                    if !run(seed, fault) {
                        // Reads are tried twice, and some removals do not matter; otherwise the end is reached.
                        let tolerant = matches!(call, None | Some(Call::Read | Call::Remove));
                        if !tolerant || after > 400 {
                            break;
                        }
                    } else {
                        met += 1;
                    }
                    after += step;
                }
            }
        }
    }
    eprintln!("{met} faults met");
}

#[test]
fn after_a_failed_write_or_sync_nothing_later_is_acknowledged() {
    for seed in seeds(16) {
        let _replay = Replay(seed);
        let disk = Disk::new(seed);
        let store = open(&disk, tiny(true)).unwrap();
        work(&disk, &store, seed, 5).unwrap();
        let call = Some([Call::Sync, Call::Write][seed as usize % 2]);
        // Once: a retry would succeed, and lie.
        disk.fail(Fault { call, after: seed / 2, forever: false, error: ErrorKind::Other });
        let commits: Vec<_> = (6..=120).map(|number| store.commit(support::changes(seed, number))).collect();
        let results: Vec<_> = commits.into_iter().map(espalier_store::Commit::wait).collect();
        let good = results.iter().take_while(|result| result.is_ok()).count();
        assert!(results[good..].iter().all(|result| matches!(result, Err(Error::Poisoned { .. }))), "{results:?}");
        let durable = 5 + good as u64;
        let snapshot = store.snapshot();
        assert_eq!(snapshot.sequence(), durable, "readers see what is durable, and all of it");
        assert!(read(&snapshot).unwrap() == expected(seed, durable));
        let stopped = good < results.len();
        assert_eq!(store.stats().poisoned, stopped);
        // It may still close well, if what failed was only the preparation of another segment.
        assert!(stopped || store.close().is_ok());
        drop(store);
        // What was written before the failure may be there as well; what was acknowledged must.
        let store = open(&disk.moment().crash(seed), tiny(true)).unwrap();
        check(&store, seed, durable);
    }
}

#[test]
fn threads_end_in_an_error_and_never_hang_when_calls_fail() {
    for seed in seeds(24) {
        let _replay = Replay(seed);
        let mut random = Random::new(seed);
        let disk = Disk::new(seed);
        let store = open(&disk, tiny(true)).unwrap();
        work(&disk, &store, seed, 20).unwrap();
        let call = [None].into_iter().chain(Call::ALL.map(Some)).nth(random.below(10) as usize).flatten();
        let fault = Fault { call, after: random.below(60), forever: seed % 2 == 0, error: ErrorKind::Other };
        disk.fail(fault);
        let _ = work(&disk, &store, seed, 80);
        let acknowledged = disk.moment().note;
        assert!(store.snapshot().sequence() >= acknowledged);
        let _ = store.close();
        drop(store);
        disk.heal();
        let store = open(&disk.moment().crash(seed), tiny(true)).unwrap();
        check(&store, seed, acknowledged);
    }
}

#[test]
fn a_full_disk_refuses_changes_serves_reads_and_recovers_without_restart() {
    for seed in seeds(4) {
        let _replay = Replay(seed);
        let disk = Disk::new(seed);
        let store = open(&disk, tiny(true)).unwrap();
        let mut done = work(&disk, &store, seed, 30).unwrap();
        let mut random = Random::new(seed);
        for _cycle in 0..3 {
            disk.set_capacity(Some(disk.used() + random.below(30_000)));
            let begin = Instant::now();
            let error = loop {
                match store.commit(support::changes(seed, done + 1)).wait() {
                    Ok(sequence) => done = sequence,
                    Err(error) => break error,
                }
                assert!(begin.elapsed() < Duration::from_secs(20), "the disk never got full");
            };
            assert!(matches!(error, Error::Full { .. }), "{error}");
            assert_eq!(check(&store, seed, done), done);
            disk.set_capacity(None);
            // It takes a moment until room is noticed; until then commits are refused, without effect.
            let (begin, until) = (Instant::now(), done + 20);
            while done < until {
                match store.commit(support::changes(seed, done + 1)).wait() {
                    Ok(sequence) => {
                        assert_eq!(sequence, done + 1, "a refused commit had an effect");
                        done = sequence;
                    }
                    Err(Error::Full { .. }) => std::thread::sleep(Duration::from_millis(5)),
                    Err(error) => panic!("{error}"),
                }
                assert!(begin.elapsed() < Duration::from_secs(20), "room was freed, and nobody noticed");
            }
        }
        store.close().unwrap();
        let store = open(&disk, tiny(true)).unwrap();
        assert_eq!(check(&store, seed, done), done);
    }
}

#[test]
fn a_store_closes_and_opens_while_the_disk_is_full() {
    for seed in seeds(30) {
        let _replay = Replay(seed);
        let disk = Disk::new(seed);
        let store = open(&disk, tiny(true)).unwrap();
        let mut done = work(&disk, &store, seed, 30).unwrap();
        disk.set_capacity(Some(disk.used() + seed * 500));
        while let Ok(sequence) = store.commit(support::changes(seed, done + 1)).wait() {
            done = sequence;
        }
        if seed % 2 == 0 {
            // Everything is in the log, whether the tree had room for it or not.
            if let Err(error) = store.close() {
                assert!(error.is_full(), "{error}");
            }
        }
        drop(store);
        match open(&disk, tiny(true)) {
            Ok(store) => assert_eq!(check(&store, seed, done), done),
            Err(error) => assert!(matches!(error, Error::Full { .. }), "{error}"),
        }
        disk.set_capacity(None);
        let store = open(&disk, tiny(true)).unwrap();
        assert_eq!(check(&store, seed, done), done);
        work(&disk, &store, seed, done + 20).unwrap();
    }
}

#[test]
fn a_new_store_on_a_full_disk_says_so_and_works_later() {
    for room in (0..2_000_000).step_by(100_000) {
        let disk = Disk::new(room);
        disk.set_capacity(Some(room));
        match open(&disk, tiny(true)) {
            Err(error) => assert!(matches!(error, Error::Full { .. }), "{room}: {error}"),
            Ok(store) => drop(store),
        }
        disk.set_capacity(None);
        let store = open(&disk, tiny(true)).unwrap();
        work(&disk, &store, 1, 10).unwrap();
    }
}

#[test]
fn slow_checkpoints_hold_writers_back_instead_of_using_memory() {
    let options = espalier_store::Options { recent_bytes: 200_000, ..tiny(true) };
    let store = Store::in_memory(options).unwrap();
    let turn = parking_lot::Mutex::new(0u64);
    let most = std::sync::atomic::AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..300 {
                    let commit = {
                        let mut number = turn.lock();
                        *number += 1;
                        let mut changes = Changes::new();
                        changes.put(number.to_be_bytes().to_vec(), vec![0; 5_000]);
                        store.commit(changes)
                    };
                    commit.wait().unwrap();
                    most.fetch_max(store.stats().recent_bytes, std::sync::atomic::Ordering::Relaxed);
                }
            });
        }
    });
    // Twice the budget, and one commit of each writer beyond it.
    let most = most.into_inner();
    assert!(most <= 2 * (200_000 + 5 * 6_000), "{most} bytes");
    assert_eq!(store.snapshot().sequence(), 1_200);
}
