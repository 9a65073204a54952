//! The one door through which time and chance enter the engine, so that tests can hold both still.

use std::fmt;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

/// Tells the time.
pub trait Clock: Send + Sync + fmt::Debug {
    /// Milliseconds since 1970.
    fn now_ms(&self) -> i64;

    /// Seconds since 1970.
    fn now_seconds(&self) -> i64 {
        self.now_ms().div_euclid(1000)
    }
}

/// The machine's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[allow(clippy::disallowed_methods, reason = "this is the door")]
    fn now_ms(&self) -> i64 {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        since.map_or(0, |elapsed| i64::try_from(elapsed.as_millis()).unwrap_or(i64::MAX))
    }
}

/// A clock that moves only when told to.
#[derive(Debug)]
pub struct ManualClock(AtomicI64);

impl ManualClock {
    /// A clock that stands at a moment.
    #[must_use]
    pub fn at_ms(now_ms: i64) -> Self {
        Self(AtomicI64::new(now_ms))
    }

    /// Moves the clock on.
    pub fn advance_ms(&self, milliseconds: i64) {
        self.0.fetch_add(milliseconds, Ordering::SeqCst);
    }

    /// Puts the clock to a moment, earlier or later.
    pub fn set_ms(&self, now_ms: i64) {
        self.0.store(now_ms, Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now_ms(&self) -> i64 {
        self.0.load(Ordering::SeqCst)
    }
}

/// Gives identities that nobody can guess.
pub trait Random: Send + Sync + fmt::Debug {
    /// A fresh UUID.
    fn uuid(&self) -> uuid::Uuid;
}

/// The machine's source of chance.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemRandom;

impl Random for SystemRandom {
    fn uuid(&self) -> uuid::Uuid {
        uuid::Uuid::new_v4()
    }
}

/// Identities in a fixed order, for tests.
#[derive(Debug, Default)]
pub struct CountingRandom(AtomicU64);

impl Random for CountingRandom {
    fn uuid(&self) -> uuid::Uuid {
        let next = self.0.fetch_add(1, Ordering::SeqCst) + 1;
        uuid::Builder::from_random_bytes(u128::from(next).to_be_bytes()).into_uuid()
    }
}
