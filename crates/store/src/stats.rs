//! What the store tells about itself.

use std::sync::atomic::AtomicU64;

/// Counters since the store was opened, and its present size.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// Memory of changes that are not in the tree yet, about.
    pub recent_bytes: usize,
    /// Segments of the log that hold something the tree may lack.
    pub log_segments: usize,
    /// Segments that are ready, or kept to be used again.
    pub spare_segments: usize,
    /// Commits accepted, without empty ones.
    pub commits: u64,
    /// Syncs of the log that made commits durable.
    pub syncs: u64,
    /// Bytes appended to the log.
    pub log_bytes: u64,
    /// Times that recent changes were moved into the tree.
    pub checkpoints: u64,
    /// Times that commits were held back because the checkpoint lagged.
    pub held_back: u64,
    /// Newest durable sequence number.
    pub durable: u64,
    /// The disk refused room the last time it was asked.
    pub full: bool,
    /// A write or sync failed; the store accepts no changes until it is reopened.
    pub poisoned: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Counters {
    pub(crate) commits: AtomicU64,
    pub(crate) syncs: AtomicU64,
    pub(crate) log_bytes: AtomicU64,
    pub(crate) checkpoints: AtomicU64,
    pub(crate) held_back: AtomicU64,
}
