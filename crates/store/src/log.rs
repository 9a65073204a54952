//! The log: where changes become durable.
//!
//! A log is a chain of *segments*, files that were filled with zeros beforehand and are used again when the tree
//! has their content. A segment starts with a header ([`segment`]) and holds *frames* ([`frame`]), one per sync:
//! all commits that were waiting when the sync began. The last frame of a full segment, the seal, names the
//! segment that continues the chain. [`writer`] appends, [`supply`] prepares segments ahead of need and takes
//! back those that are done, [`replay`] reads everything after a [`Position`] when the store opens.
//!
//! Why recovery can tell a torn tail from damage: a frame is written only after the one before it was synced, so
//! a valid frame behind an invalid one proves that the invalid one had been on the disk, and perhaps
//! acknowledged. That is reported and never skipped. An invalid frame with nothing valid behind it was still
//! being written when the power went, and is cut. So that the newest frames have a witness as well, the writer notes
//! beside the segment's header, whenever it has nothing else to do, how many frames are synced.

pub(crate) mod frame;
pub(crate) mod replay;
pub(crate) mod segment;
pub(crate) mod supply;
pub(crate) mod writer;

/// A place between two frames, from which the log can be read on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Position {
    /// Number of the segment.
    pub(crate) segment: u64,
    /// Where in the segment the next frame starts.
    pub(crate) offset: u64,
    /// Number of that frame.
    pub(crate) frame: u64,
    /// Commits up to this sequence number are in the tree; the frame may hold some of them again.
    pub(crate) sequence: u64,
}

impl Position {
    pub(crate) fn to_bytes(self) -> [u8; 32] {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&self.segment.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.offset.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.frame.to_le_bytes());
        bytes[24..].copy_from_slice(&self.sequence.to_le_bytes());
        bytes
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Position> {
        let bytes: &[u8; 32] = bytes.try_into().ok()?;
        Some(Position {
            segment: u64_at(bytes, 0),
            offset: u64_at(bytes, 8),
            frame: u64_at(bytes, 16),
            sequence: u64_at(bytes, 24),
        })
    }
}

/// The little-endian number at `at`. The caller knows that `bytes` is long enough.
pub(crate) fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"))
}

/// The little-endian number at `at`. The caller knows that `bytes` is long enough.
pub(crate) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
}
