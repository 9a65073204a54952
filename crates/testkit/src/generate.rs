//! Random tables and requests that collide as often as possible: few keys, equal sort keys, missing attributes,
//! changing types, nested documents, extreme numbers.
//!
//! Everything follows from a seed. Steps do not depend on answers, so a failing list can be shortened.

mod expression;
mod request;
mod schema;
mod value;

use fastrand::Rng;

use crate::reference::request::Request;
use crate::reference::schema::Schema;

/// One step of a run.
#[derive(Debug, Clone)]
pub enum Step {
    /// A request.
    Call(Box<Request>),
    /// Time passes, and background work is done.
    Wait {
        /// Milliseconds.
        milliseconds: i64,
    },
    /// The database is closed, or only dropped, and opened again; means nothing in memory.
    Reopen {
        /// Whether it is closed first.
        cleanly: bool,
    },
}

/// A run: tables and steps.
#[derive(Debug, Clone)]
pub struct Run {
    /// The tables.
    pub tables: Vec<Schema>,
    /// The steps.
    pub steps: Vec<Step>,
}

/// Where the clock of every run starts: an even second, since expiry times are odd.
pub const START_MS: i64 = 1_700_000_000_000;

impl Run {
    /// The run that follows from a seed.
    #[must_use]
    pub fn from_seed(seed: u64, steps: usize) -> Self {
        let mut rng = Rng::with_seed(seed);
        let tables: Vec<Schema> = (0..rng.usize(1..=2)).map(|place| schema::table(&mut rng, place)).collect();
        let mut now_ms = START_MS;
        let steps = (0..steps).map(|_| step(&mut rng, &tables, &mut now_ms)).collect();
        Self { tables, steps }
    }
}

fn step(rng: &mut Rng, tables: &[Schema], now_ms: &mut i64) -> Step {
    match rng.u32(0..100) {
        0..3 => {
            let seconds = match rng.u32(0..10) {
                0 => 13 * 3600,
                1..3 => 3600,
                3..6 => 302,
                _ => 2 * rng.i64(0..40),
            };
            *now_ms += seconds * 1000;
            Step::Wait { milliseconds: seconds * 1000 }
        }
        3..4 => Step::Reopen { cleanly: rng.bool() },
        _ => Step::Call(Box::new(request::request(rng, tables, now_ms.div_euclid(1000)))),
    }
}

/// One of several, by chance.
fn pick<T: Clone>(rng: &mut Rng, from: &[T]) -> T {
    from[rng.usize(0..from.len())].clone()
}

/// True once in so many times.
fn one_in(rng: &mut Rng, times: u32) -> bool {
    rng.u32(0..times) == 0
}
