//! Random requests on the engine and on the naive reference.
//!
//! `ESPALIER_SEED=n` replays one seed, `ESPALIER_SEEDS=n` runs that many, `ESPALIER_STEPS=n` makes runs longer.

use std::env;

use espalier_testkit::compare;
use espalier_testkit::database::Road;
use espalier_testkit::generate::Run;

fn number(name: &str) -> Option<u64> {
    env::var(name).ok().and_then(|text| text.parse().ok())
}

fn check(road: Road, seeds: u64, steps: usize) {
    let steps = number("ESPALIER_STEPS").map_or(steps, |steps| steps as usize);
    let seeds = match number("ESPALIER_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..number("ESPALIER_SEEDS").unwrap_or(seeds),
    };
    for seed in seeds {
        let run = Run::from_seed(seed, steps);
        let Err(difference) = compare::run(&run, road, seed) else { continue };
        let (shorter, difference) = compare::shrink(&run, road, seed, difference);
        panic!(
            "seed {seed} on {road:?}: after {} steps\n\n{}\n{}\n\nreplay with ESPALIER_SEED={seed}",
            shorter.steps.len(),
            compare::listing(&shorter),
            difference.text
        );
    }
}

#[test]
fn in_memory() {
    check(Road::Memory, 16, 200);
}

#[test]
fn on_disk_with_reopening() {
    check(Road::Disk, 4, 150);
}

#[test]
fn over_http() {
    check(Road::Http, 2, 100);
}
