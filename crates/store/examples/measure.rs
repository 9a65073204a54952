//! Measures the store beside plain redb: durable commits, gets, scans, opening, memory.
//!
//! `cargo run --release -p espalier-store --example measure [seconds] [items] [folder]`
//!
//! A write is what a database does for one item: read it, then put three entries. Every write waits until it is
//! durable. Plain redb commits the same writes in one transaction each.

use espalier_store::{Changes, Direction, Options, Store};
use redb::{Database, ReadableDatabase, TableDefinition};
use std::ops::{Bound, ControlFlow};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

const TABLE: TableDefinition<'static, &[u8], &[u8]> = TableDefinition::new("data");

fn key(number: u64) -> Vec<u8> {
    // Spread like hashed partition keys.
    let hash = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut key = hash.to_be_bytes().to_vec();
    key.extend_from_slice(format!("item/{number:010}").as_bytes());
    key
}

fn value(number: u64) -> Vec<u8> {
    let mut value = vec![b'v'; 300];
    value[..8].copy_from_slice(&number.to_be_bytes());
    value
}

struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

/// Runs `write` on `writers` threads and prints the rate, the latencies and the worst second.
fn writes(name: &str, writers: u64, seconds: u64, write: &(dyn Fn(u64, u64) + Sync)) {
    let (stop, total) = (AtomicBool::new(false), AtomicU64::new(0));
    let mut worst = u64::MAX;
    let mut latencies = Vec::new();
    let begin = Instant::now();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..writers)
            .map(|writer| {
                let (stop, total) = (&stop, &total);
                scope.spawn(move || {
                    let (mut latencies, mut round) = (Vec::new(), 0);
                    while !stop.load(Ordering::Relaxed) {
                        let begin = Instant::now();
                        write(writer, round);
                        latencies.push(begin.elapsed());
                        total.fetch_add(1, Ordering::Relaxed);
                        round += 1;
                    }
                    latencies
                })
            })
            .collect();
        let mut before = 0;
        for _ in 0..seconds {
            std::thread::sleep(Duration::from_secs(1));
            let now = total.load(Ordering::Relaxed);
            worst = worst.min(now - before);
            before = now;
        }
        stop.store(true, Ordering::Relaxed);
        for thread in threads {
            latencies.extend(thread.join().expect("a writer never panics"));
        }
    });
    let rate = total.into_inner() as f64 / begin.elapsed().as_secs_f64();
    latencies.sort_unstable();
    let at = |share: f64| latencies[(latencies.len() as f64 * share) as usize].as_secs_f64() * 1e3;
    println!(
        "{name:<34} {rate:>9.0} /s   p50 {:.2} ms  p99 {:.2} ms  p99.9 {:.1} ms   worst second {worst}",
        at(0.5),
        at(0.99),
        at(0.999)
    );
}

fn reads(name: &str, mut read: impl FnMut(u64)) {
    let (begin, mut count, mut dice) = (Instant::now(), 0u64, Dice(7));
    while begin.elapsed() < Duration::from_secs(2) {
        for _ in 0..100 {
            read(dice.below(u64::MAX >> 33));
        }
        count += 100;
    }
    println!("{name:<34} {:>9.0} /s", count as f64 / begin.elapsed().as_secs_f64());
}

fn memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS")).unwrap_or("VmRSS: unknown");
    line.split_whitespace().skip(1).collect::<Vec<_>>().join(" ")
}

fn timed<T>(name: &str, act: impl FnOnce() -> T) -> T {
    let begin = Instant::now();
    let result = act();
    println!("{name:<34} {:>9.1} ms   memory {}", begin.elapsed().as_secs_f64() * 1e3, memory());
    result
}

fn changes(number: u64, round: u64) -> Changes {
    let mut changes = Changes::new();
    changes.put(key(number), value(round));
    changes.put([b"i", &key(number)[..]].concat(), value(round)[..60].to_vec());
    changes.put([b"s", &round.to_be_bytes()[..], &key(number)].concat(), value(round)[..60].to_vec());
    changes
}

fn ours(path: &Path, seconds: u64, items: u64) {
    let open = || Store::open(path, Options::default()).expect("the store opens");
    let store = timed("open, empty", open);
    std::thread::sleep(Duration::from_millis(300));
    println!("{:<34} {:>12}", "idle", memory());
    let turn = parking_lot::Mutex::new(());
    timed("load all items", || {
        for batch in 0..items / 1_000 {
            let mut changes = Changes::new();
            for number in batch * 1_000..(batch + 1) * 1_000 {
                changes.put(key(number), value(number));
            }
            store.commit(changes).wait().expect("the load is durable");
        }
    });
    timed("close", || store.close().expect("closes"));
    drop(store);
    let store = timed("open after close", open);
    let scan = |store: &Store, number: u64| {
        let mut left = 100;
        let mut visit = |_: &[u8], value: &[u8]| {
            std::hint::black_box(value);
            left -= 1;
            if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let from = key(number % items);
        let snapshot = store.snapshot();
        snapshot.scan(Bound::Included(&from), Bound::Unbounded, Direction::Forward, &mut visit).expect("scans");
    };
    let get = |store: &Store, number: u64| {
        let value = store.snapshot().get(&key(number % items)).expect("reads");
        assert!(value.is_some());
    };
    reads("gets, all in the tree", |number| get(&store, number));
    reads("scans of 100, all in the tree", |number| scan(&store, number));
    let write = |writer: u64, round: u64| {
        let number = Dice(writer << 40 | round << 8).below(items);
        let commit = {
            let _turn = turn.lock();
            std::hint::black_box(store.latest().get(&key(number)).expect("reads"));
            store.commit(changes(number, round))
        };
        commit.wait().expect("commits");
    };
    writes("writes, 1 writer", 1, seconds.min(5), &write);
    let before = store.stats();
    writes("writes, 64 writers", 64, seconds, &write);
    let after = store.stats();
    println!(
        "   {} checkpoints, {:.1} commits per sync, held back {} times, {} bytes of log per write, memory {}",
        after.checkpoints - before.checkpoints,
        (after.commits - before.commits) as f64 / (after.syncs - before.syncs) as f64,
        after.held_back - before.held_back,
        (after.log_bytes - before.log_bytes) / (after.commits - before.commits),
        memory()
    );
    reads("gets, layers full", |number| get(&store, number));
    reads("scans of 100, layers full", |number| scan(&store, number));
    // Without close, and with a log as full as it gets.
    let mut spent = 0;
    while store.stats().recent_bytes < 60 << 20 && spent < 400_000 {
        for _ in 0..1_000 {
            drop(store.commit(changes(spent % items, spent)));
            spent += 1;
        }
        store.commit(Changes::new()).wait().expect("commits");
    }
    let segments = store.stats().log_segments;
    drop(store);
    let store = timed(&format!("open after drop, {segments} segments"), open);
    timed("close", || store.close().expect("closes"));
    drop(store);
    timed("open after close", open);
}

fn plain(path: &Path, seconds: u64, items: u64) {
    let database = Database::create(path.join("plain.redb")).expect("redb opens");
    for batch in 0..items / 20_000 {
        let transaction = database.begin_write().expect("begins");
        {
            let mut table = transaction.open_table(TABLE).expect("opens");
            for number in batch * 20_000..(batch + 1) * 20_000 {
                table.insert(&key(number)[..], &value(number)[..]).expect("inserts");
            }
        }
        transaction.commit().expect("commits");
    }
    reads("redb: gets", |number| {
        let table = database.begin_read().expect("begins").open_table(TABLE).expect("opens");
        assert!(table.get(&key(number % items)[..]).expect("reads").is_some());
    });
    reads("redb: scans of 100", |number| {
        let table = database.begin_read().expect("begins").open_table(TABLE).expect("opens");
        for entry in table.range::<&[u8]>(&key(number % items)[..]..).expect("scans").take(100) {
            std::hint::black_box(entry.expect("reads").1.value());
        }
    });
    writes("redb: writes, 64 writers", 64, seconds.min(10), &|writer, round| {
        let number = Dice(writer << 40 | round << 8).below(items);
        let transaction = database.begin_write().expect("begins");
        {
            let mut table = transaction.open_table(TABLE).expect("opens");
            std::hint::black_box(table.get_mut(&key(number)[..]).expect("reads").is_some());
            table.insert(&key(number)[..], &value(round)[..]).expect("inserts");
            table.insert(&[b"i", &key(number)[..]].concat()[..], &value(round)[..60]).expect("inserts");
            let stream = [b"s", &round.to_be_bytes()[..], &key(number)].concat();
            table.insert(&stream[..], &value(round)[..60]).expect("inserts");
        }
        transaction.commit().expect("commits");
    });
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let seconds = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(10);
    let items = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(300_000);
    let folder = match arguments.next() {
        Some(path) => tempfile::tempdir_in(path),
        None => tempfile::tempdir(),
    };
    let folder = folder.expect("a folder for temporary files");
    ours(&folder.path().join("store"), seconds, items);
    plain(folder.path(), seconds, items);
}
