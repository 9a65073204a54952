//! Files that were changed behind our back: loud, or harmless, and never wrong.
#![allow(clippy::unwrap_used)]

mod support;

use espalier_store::fault::{Disk, Random};
use espalier_store::{Error, Store};
use support::{Replay, check, open, seeds, tiny, work};

/// A disk with `count` commits, the last of them in the log alone.
fn disk(seed: u64, count: u64) -> Disk {
    let disk = Disk::new(seed);
    let store = open(&disk, tiny(false)).unwrap();
    work(&disk, &store, seed, count).unwrap();
    drop(store);
    disk
}

fn logs(disk: &Disk) -> Vec<String> {
    disk.files().into_iter().map(|(name, _)| name).filter(|name| name.starts_with("log-")).collect()
}

/// Opens a damaged disk: all commits are there, or the store says that they are not.
fn loud_or_harmless(disk: &Disk, seed: u64, count: u64) -> bool {
    match open(disk, tiny(false)) {
        Ok(store) => {
            assert_eq!(check(&store, seed, count), count);
            false
        }
        Err(error) => {
            assert!(matches!(error, Error::Corrupt { .. }), "{error}");
            assert!(error.to_string().contains("backup"), "{error}");
            true
        }
    }
}

#[test]
fn a_flipped_bit_in_the_log_is_loud_or_harmless() {
    let (mut loud, mut all) = (0, 0);
    for seed in seeds(6) {
        let _replay = Replay(seed);
        let original = disk(seed, 40 + seed % 7);
        let mut random = Random::new(seed);
        for name in logs(&original) {
            for _ in 0..12 {
                let damaged = original.moment().kill(seed);
                damaged.damage(&name, |data| {
                    let at = random.below(data.len() as u64) as usize;
                    data[at] ^= 1 << random.below(8);
                });
                all += 1;
                loud += u64::from(loud_or_harmless(&damaged, seed, 40 + seed % 7));
            }
        }
    }
    eprintln!("{loud} of {all} loud");
    assert!(loud > 0);
}

#[test]
fn a_flipped_bit_before_intact_frames_is_loud_without_a_witness() {
    // As after a power cut that came before the note of what is synced was on the disk.
    let mut tried = 0;
    for seed in seeds(6) {
        let _replay = Replay(seed);
        let original = disk(seed, 44);
        for name in logs(&original) {
            original.damage(&name, |data| data[512..1024].fill(0));
        }
        assert!(!loud_or_harmless(&original.moment().kill(seed), seed, 44));
        // The frames of the newest segment, found by their salt, which the header has as well.
        for name in logs(&original) {
            let data = original.content(&name);
            let frames: Vec<_> =
                (1024..data.len() - 40).step_by(8).filter(|at| data[*at..at + 8] == data[24..32]).collect();
            let Some((_, before)) = frames.split_last() else { continue };
            for at in before {
                let damaged = original.moment().kill(seed);
                damaged.damage(&name, |data| data[at + 41] ^= 4);
                tried += 1;
                // Harmless where the tree has these frames already; in the chain it must be loud.
                loud_or_harmless(&damaged, seed, 44);
            }
        }
    }
    assert!(tried > 10, "{tried}");
}

#[test]
fn zeroed_copied_and_stale_sectors_of_the_log_are_loud_or_harmless() {
    let (mut loud, mut all) = (0, 0);
    for seed in seeds(6) {
        let _replay = Replay(seed);
        let older = disk(seed, 33);
        let original = disk(seed, 45);
        let mut random = Random::new(seed);
        for name in logs(&original) {
            for kind in 0..12 {
                let damaged = original.moment().kill(seed);
                let old = older.files().iter().any(|(other, _)| *other == name).then(|| older.content(&name));
                damaged.damage(&name, |data| {
                    let sectors = data.len() as u64 / 512;
                    let (from, to) = (random.below(sectors) as usize * 512, random.below(sectors) as usize * 512);
                    match (kind % 3, &old) {
                        (0, _) => data[to..to + 512].fill(0),
                        (2, Some(old)) if to + 512 <= old.len() => {
                            data[to..to + 512].copy_from_slice(&old[to..to + 512])
                        }
                        _ => data.copy_within(from..from + 512, to),
                    }
                });
                all += 1;
                loud += u64::from(loud_or_harmless(&damaged, seed, 45));
            }
        }
    }
    eprintln!("{loud} of {all} loud");
    assert!(loud > 0);
}

#[test]
fn a_missing_file_is_loud_or_harmless() {
    for seed in seeds(6) {
        let _replay = Replay(seed);
        let original = disk(seed, 40);
        let mut loud = 0;
        for (name, _) in original.files() {
            let damaged = original.moment().kill(seed);
            damaged.lose(&name);
            let is_loud = loud_or_harmless(&damaged, seed, 40);
            assert!(is_loud || name.starts_with("log-"), "{name} was not missed");
            loud += u64::from(is_loud);
        }
        assert!(loud >= 3, "the tree, the format, and a segment");
    }
}

#[test]
fn a_cut_off_file_is_loud_or_harmless() {
    for seed in seeds(6) {
        let _replay = Replay(seed);
        let original = disk(seed, 40);
        let mut random = Random::new(seed);
        for (name, len) in original.files() {
            if len == 0 {
                continue;
            }
            let damaged = original.moment().kill(seed);
            damaged.damage(&name, |data| data.truncate(random.below(len) as usize));
            match open(&damaged, tiny(false)) {
                Ok(store) => assert_eq!(check(&store, seed, 40), 40),
                Err(error) => assert!(matches!(error, Error::Corrupt { .. } | Error::Tree(_)), "{error}"),
            }
        }
    }
}

#[test]
fn a_newer_format_is_refused_and_nothing_is_changed() {
    let original = disk(1, 40);
    original.damage("format", |data| *data = b"espalier store, format 2\n".to_vec());
    let before: Vec<_> = original.files().iter().map(|(name, _)| original.content(name)).collect();
    let error = open(&original, tiny(false)).unwrap_err();
    assert!(matches!(error, Error::NewerFormat { found: 2, known: 1, .. }), "{error}");
    let after: Vec<_> = original.files().iter().map(|(name, _)| original.content(name)).collect();
    assert!(before == after);
}

#[test]
fn a_real_folder_with_a_newer_format_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("format"), "espalier store, format 7\n").unwrap();
    let error = Store::open(folder.path(), tiny(true)).unwrap_err();
    assert!(error.to_string().contains("newer version"), "{error}");
}

#[test]
fn a_flipped_bit_in_a_value_of_the_tree_is_never_returned() {
    let disk = Disk::new(3);
    let store = open(&disk, tiny(false)).unwrap();
    let value = |number: u64| format!("the value of number {number:03}, long enough to be found");
    for number in 0..100 {
        let mut changes = espalier_store::Changes::new();
        changes.put(format!("key {number:03}"), value(number));
        store.commit(changes).wait().unwrap();
    }
    store.close().unwrap();
    drop(store);
    let mut loud = 0;
    for number in 0..100 {
        let damaged = disk.moment().kill(number);
        let content = damaged.content("tree.redb");
        let text = value(number);
        let places: Vec<usize> = content
            .windows(text.len())
            .enumerate()
            .filter(|(_, run)| *run == text.as_bytes())
            .map(|(at, _)| at)
            .collect();
        assert!(!places.is_empty(), "after a clean stop everything is in the tree");
        damaged.damage("tree.redb", |data| places.iter().for_each(|at| data[at + 10] ^= 4));
        let store = open(&damaged, tiny(false)).unwrap();
        let read = store.snapshot().get(format!("key {number:03}").as_bytes());
        assert!(matches!(read, Err(Error::Corrupt { .. })), "{read:?}");
        let mut seen = Vec::new();
        let mut visit = |_: &[u8], value: &[u8]| {
            seen.push(value.to_vec());
            std::ops::ControlFlow::Continue(())
        };
        let (from, to) = (std::ops::Bound::Unbounded, std::ops::Bound::Unbounded);
        let scanned = store.snapshot().scan(from, to, espalier_store::Direction::Forward, &mut visit);
        assert!(scanned.is_err(), "a scan meets it too");
        assert_eq!(seen.len() as u64, number, "what comes before it is sound");
        loud += 1;
    }
    assert_eq!(loud, 100);
}
