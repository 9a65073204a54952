//! Sizes that a user may choose.

/// How a store uses memory and disk.
#[derive(Debug, Clone)]
pub struct Options {
    /// Memory for changes that are not in the tree yet. Up to twice this much is used while a checkpoint runs.
    pub recent_bytes: usize,
    /// Length of a log segment.
    pub segment_bytes: u64,
    /// Log segments kept ready.
    pub spare_segments: usize,
    /// Memory for pages of the tree, used as they are read or written. A checkpoint works best when its chunk
    /// of pages (entries times 4 KB at worst) fits into half of this.
    pub cache_bytes: usize,
    /// Entries that a checkpoint moves in one transaction.
    pub chunk_entries: usize,
    /// Use threads. Without them every commit is synced, and every checkpoint done, inside of `commit`, in an order
    /// that depends on nothing else: for simulations.
    pub background: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            recent_bytes: 64 * 1024 * 1024,
            segment_bytes: 16 * 1024 * 1024,
            spare_segments: 4,
            cache_bytes: 256 * 1024 * 1024,
            chunk_entries: 20_000,
            background: true,
        }
    }
}

impl Options {
    /// The same, with sizes that a store can work with.
    pub(crate) fn checked(mut self) -> Options {
        self.segment_bytes = self.segment_bytes.clamp(4096, 1 << 30).next_multiple_of(4096);
        self.recent_bytes = self.recent_bytes.max(1024);
        self.chunk_entries = self.chunk_entries.max(1);
        self
    }

    /// The same, for a store in memory: its log should be small, because it is memory too.
    pub(crate) fn in_memory(mut self) -> Options {
        self.segment_bytes = self.segment_bytes.min(256 * 1024);
        self.spare_segments = self.spare_segments.min(1);
        self.recent_bytes = self.recent_bytes.min(8 * 1024 * 1024);
        self
    }
}
