//! Random tables.

use fastrand::Rng;

use super::{one_in, pick};
use crate::reference::schema::{Index, Key, Projection, Schema};

const KINDS: [&str; 3] = ["S", "N", "B"];

/// A table with up to five indexes.
pub(super) fn table(rng: &mut Rng, place: usize) -> Schema {
    let key = |rng: &mut Rng, name: &str| Key { name: name.to_owned(), kind: pick(rng, &KINDS) };
    let partition = key(rng, "pk");
    let sort = (!one_in(rng, 3)).then(|| key(rng, "sk"));
    // The attributes that indexes are keyed by: each has one type throughout the table.
    let others: Vec<Key> = ["g1", "g2", "g3", "g4"].iter().map(|name| key(rng, name)).collect();
    let mut indexes = Vec::new();
    for number in 0..rng.usize(0..=2) {
        if sort.is_some() {
            let sorted = vec![pick(rng, &others)];
            indexes.push(Index {
                name: format!("local{number}"),
                global: false,
                partition: vec![partition.clone()],
                sort: sorted,
                projection: projection(rng),
            });
        }
    }
    for number in 0..rng.usize(0..=3) {
        indexes.push(global(rng, number, &others, &partition, sort.as_ref()));
    }
    Schema {
        name: format!("table{place}"),
        partition,
        sort,
        indexes,
        time_to_live: one_in(rng, 2).then(|| "expires".to_owned()),
        stream: one_in(rng, 2).then(|| pick(rng, &["KEYS_ONLY", "NEW_IMAGE", "OLD_IMAGE", "NEW_AND_OLD_IMAGES"])),
    }
}

fn global(rng: &mut Rng, number: usize, others: &[Key], partition: &Key, sort: Option<&Key>) -> Index {
    let mut pool: Vec<Key> = others.to_vec();
    // An index may be keyed by the table's own keys as well, the other way round.
    if one_in(rng, 3) {
        pool.push(partition.clone());
        pool.extend(sort.cloned());
    }
    rng.shuffle(&mut pool);
    let (partitions, sorts) = if one_in(rng, 3) { (rng.usize(1..=2), rng.usize(0..=2)) } else { (1, rng.usize(0..=1)) };
    let sorts = pool.split_off(partitions).into_iter().take(sorts).collect();
    Index { name: format!("global{number}"), global: true, partition: pool, sort: sorts, projection: projection(rng) }
}

fn projection(rng: &mut Rng) -> Projection {
    match rng.u32(0..3) {
        0 => Projection::All,
        1 => Projection::KeysOnly,
        _ => Projection::Include(vec!["a".to_owned(), "document".to_owned()]),
    }
}
