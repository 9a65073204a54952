//! Frames: what one sync makes durable.
//!
//! ```text
//! 0  salt     u64   of this use of the segment: frames of an earlier use can never rejoin the chain
//! 8  length   u32   of the payload
//! 12 checksum u32   of everything else here, the payload, the segment number and the offset
//! 16 number   u64   one more than the frame before
//! 24 first    u64   sequence number of the first commit
//! 32 commits  u32   how many commits follow
//! 36 kind     u32   commits or seal
//! 40 payload        padded with zeros to a multiple of eight
//! ```
//!
//! A commit in the payload is a count of changes, then for each: key length, value length (or [`DELETE`]), key, value.

use super::{u32_at, u64_at};
use crate::changes::Changes;
use bytes::Bytes;

/// Bytes before the payload.
pub(crate) const HEADER: usize = 40;
/// The length that says "this key is deleted".
const DELETE: u32 = u32::MAX;
/// The most that one frame may hold. A longer length in a file is damage and never allocated.
pub(crate) const MOST: u64 = 1 << 30;

/// What a frame is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Commits.
    Commits = 1,
    /// The segment ends here; the payload is the number of the next one.
    Seal = 2,
}

/// The fields of a frame's header, without salt and checksum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) kind: Kind,
    pub(crate) length: u32,
    pub(crate) number: u64,
    pub(crate) first: u64,
    pub(crate) commits: u32,
}

/// The place that a frame is sealed to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    pub(crate) salt: u64,
    pub(crate) segment: u64,
    pub(crate) offset: u64,
}

/// Bytes that a payload of `length` takes in the segment, header and padding included.
pub(crate) fn size(length: u64) -> u64 {
    (HEADER as u64 + length).next_multiple_of(8)
}

/// Appends one commit to a payload.
pub(crate) fn encode(changes: &Changes, buffer: &mut Vec<u8>) {
    buffer.reserve(encoded_len(changes));
    buffer.extend_from_slice(&(changes.entries.len() as u32).to_le_bytes());
    for (key, value) in &changes.entries {
        buffer.extend_from_slice(&(key.len() as u32).to_le_bytes());
        let length = value.as_ref().map_or(DELETE, |value| value.len() as u32);
        buffer.extend_from_slice(&length.to_le_bytes());
        buffer.extend_from_slice(key);
        buffer.extend_from_slice(value.as_deref().unwrap_or_default());
    }
}

/// Bytes that [`encode`] appends.
pub(crate) fn encoded_len(changes: &Changes) -> usize {
    4 + 8 * changes.entries.len() + changes.bytes()
}

/// Reads one commit from the front of `payload`. `None` when the bytes are not a commit.
pub(crate) fn decode(payload: &mut Bytes) -> Option<Changes> {
    let mut changes = Changes::new();
    for _ in 0..take_u32(payload)? {
        let (key, value) = (take_u32(payload)?, take_u32(payload)?);
        let key = take(payload, key)?;
        if value == DELETE {
            changes.delete(key);
        } else {
            changes.put(key, take(payload, value)?);
        }
    }
    Some(changes)
}

fn take(payload: &mut Bytes, length: u32) -> Option<Bytes> {
    (payload.len() >= length as usize).then(|| payload.split_to(length as usize))
}

fn take_u32(payload: &mut Bytes) -> Option<u32> {
    Some(u32_at(&take(payload, 4)?, 0))
}

/// Completes a frame whose payload stands in `buffer` behind [`HEADER`] free bytes: pads it and writes the header.
pub(crate) fn finish(buffer: &mut Vec<u8>, mut head: Head, place: Place) {
    head.length = (buffer.len() - HEADER) as u32;
    buffer.resize(buffer.len().next_multiple_of(8), 0);
    buffer[0..8].copy_from_slice(&place.salt.to_le_bytes());
    buffer[8..12].copy_from_slice(&head.length.to_le_bytes());
    buffer[16..24].copy_from_slice(&head.number.to_le_bytes());
    buffer[24..32].copy_from_slice(&head.first.to_le_bytes());
    buffer[32..36].copy_from_slice(&head.commits.to_le_bytes());
    buffer[36..40].copy_from_slice(&(head.kind as u32).to_le_bytes());
    let sum = checksum(&buffer[..HEADER], &buffer[HEADER..], place);
    buffer[12..16].copy_from_slice(&sum.to_le_bytes());
}

/// The header, if `bytes` can be the start of a frame at `place`. Says nothing about the payload yet.
pub(crate) fn head(bytes: &[u8], place: Place) -> Option<Head> {
    if bytes.len() < HEADER || u64_at(bytes, 0) != place.salt {
        return None;
    }
    let kind = match u32_at(bytes, 36) {
        1 => Kind::Commits,
        2 => Kind::Seal,
        _ => return None,
    };
    Some(Head {
        kind,
        length: u32_at(bytes, 8),
        number: u64_at(bytes, 16),
        first: u64_at(bytes, 24),
        commits: u32_at(bytes, 32),
    })
}

/// True when a whole frame, padding included, is as it was written.
pub(crate) fn is_intact(frame: &[u8], place: Place) -> bool {
    checksum(&frame[..HEADER], &frame[HEADER..], place) == u32_at(frame, 12)
}

fn checksum(header: &[u8], payload: &[u8], place: Place) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    // Segment and offset are not stored, but a frame that was moved must not be believed.
    hasher.update(&place.segment.to_le_bytes());
    hasher.update(&place.offset.to_le_bytes());
    hasher.update(&header[..12]);
    hasher.update(&header[16..]);
    hasher.update(payload);
    hasher.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACE: Place = Place { salt: 0x5a17, segment: 3, offset: 512 };
    const HEAD: Head = Head { kind: Kind::Commits, length: 0, number: 7, first: 9, commits: 1 };

    fn sample() -> Vec<u8> {
        let mut changes = Changes::new();
        changes.put("apple", "red");
        changes.delete("pear");
        changes.put("", "");
        let mut buffer = vec![0; HEADER];
        encode(&changes, &mut buffer);
        assert_eq!(buffer.len(), HEADER + encoded_len(&changes));
        finish(&mut buffer, HEAD, PLACE);
        buffer
    }

    #[test]
    fn a_frame_reads_back() {
        let frame = sample();
        let head = head(&frame, PLACE).unwrap();
        assert_eq!(Head { length: 0, ..head }, HEAD);
        assert!(is_intact(&frame, PLACE));
        assert_eq!(frame.len() as u64, size(head.length.into()));
        let mut payload = Bytes::copy_from_slice(&frame[HEADER..HEADER + head.length as usize]);
        let changes = decode(&mut payload).unwrap();
        assert!(payload.is_empty());
        assert_eq!(changes.len(), 3);
        assert_eq!(changes.entries[1], (Bytes::from("pear"), None));
        assert_eq!(changes.entries[2], (Bytes::new(), Some(Bytes::new())));
    }

    #[test]
    fn every_flipped_bit_is_noticed() {
        let frame = sample();
        for bit in 0..frame.len() * 8 {
            let mut copy = frame.clone();
            copy[bit / 8] ^= 1 << (bit % 8);
            assert!(head(&copy, PLACE).is_none() || !is_intact(&copy, PLACE), "bit {bit}");
        }
        assert!(!is_intact(&frame, Place { offset: 520, ..PLACE }));
        assert!(!is_intact(&frame, Place { segment: 4, ..PLACE }));
        assert!(head(&frame, Place { salt: 1, ..PLACE }).is_none());
    }

    #[test]
    fn nonsense_is_refused_without_allocating() {
        for bytes in [&[][..], &[1, 0, 0], &[1, 0, 0, 0, 0xff, 0xff, 0xff, 0xf0, 0, 0, 0, 0], &[0xff; 12]] {
            assert!(decode(&mut Bytes::copy_from_slice(bytes)).is_none());
        }
    }
}
