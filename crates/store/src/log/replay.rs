//! Replay: reading the log when the store opens.
//!
//! Follows the chain from the position that the tree remembers, hands over every commit after it, and decides
//! where the log ends (see [`super`] for why that decision is safe).

use super::frame::{self, HEADER, Head, Kind};
use super::segment::{Found, PREFIX, START, Segment};
use super::{Position, u64_at};
use crate::changes::Changes;
use crate::error::{Error, RESTORE};
use crate::io::Io;
use bytes::Bytes;
use std::collections::{BTreeMap, VecDeque};

/// Bytes read at once.
const WINDOW: usize = 1024 * 1024;

/// The segment files of a folder.
pub(crate) struct Files {
    /// By segment number.
    pub(crate) segments: BTreeMap<u64, Segment>,
    /// Files without a readable header.
    pub(crate) unused: Vec<String>,
    /// A file number that is not taken.
    pub(crate) next_file: u64,
}

impl Files {
    pub(crate) fn list(io: &dyn Io) -> Result<Files, Error> {
        let mut files = Files { segments: BTreeMap::new(), unused: Vec::new(), next_file: 1 };
        let names = io.list().map_err(|cause| Error::io("list", &io.path(), cause))?;
        for name in names {
            let Some(number) = name.strip_prefix(PREFIX).and_then(|rest| rest.parse::<u64>().ok()) else {
                continue;
            };
            files.next_file = files.next_file.max(number.saturating_add(1));
            match Segment::open(io, &name)? {
                Found::Segment(segment) => {
                    files.segments.insert(segment.number, segment);
                }
                Found::Unused => files.unused.push(name),
            }
        }
        Ok(files)
    }

    /// True when any segment holds a frame, so that this folder has been written to.
    pub(crate) fn any_frames(&self) -> Result<bool, Error> {
        for segment in self.segments.values() {
            if Window::new(segment).frame(START)?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Where the log ends, and how it got there.
pub(crate) struct End {
    pub(crate) segment: Segment,
    pub(crate) position: Position,
    pub(crate) sealed: VecDeque<Segment>,
}

/// Hands every commit after `from` to `apply`, in order, and returns the end of the log. Takes the segments of the
/// chain out of `files`; those left over are not needed.
pub(crate) fn replay(files: &mut Files, from: Position, apply: &mut dyn FnMut(u64, Changes)) -> Result<End, Error> {
    let mut at = from;
    let mut sealed = VecDeque::new();
    let mut segment = take(files, from.segment)?;
    if at.offset < START || at.offset > segment.len {
        return Err(damaged(&segment, at.offset, "the tree points outside of this segment"));
    }
    loop {
        let next = read_segment(&segment, &mut at, apply)?;
        match next {
            Some(number) => {
                let next = take(files, number)?;
                sealed.push_back(std::mem::replace(&mut segment, next));
                at.segment = number;
                at.offset = START;
            }
            None => break,
        }
    }
    check_witnesses(files, sealed.iter().chain([&segment]), at)?;
    // After a kill the last frames may be in the system's cache alone. Readers see only what is on the disk.
    if at.frame != from.frame {
        for segment in sealed.iter().chain([&segment]) {
            segment.sync()?;
        }
    }
    Ok(End { segment, position: at, sealed })
}

fn take(files: &mut Files, number: u64) -> Result<Segment, Error> {
    files.segments.remove(&number).ok_or_else(|| Error::Corrupt {
        file: files.unused.first().cloned().unwrap_or_else(|| format!("{PREFIX}*")),
        offset: 0,
        what: format!("segment {number} of the log is missing, or its header is unreadable"),
        advice: RESTORE,
    })
}

fn damaged(segment: &Segment, offset: u64, what: &str) -> Error {
    Error::Corrupt { file: segment.name.to_string(), offset, what: what.to_owned(), advice: RESTORE }
}

/// Reads frames until the segment or the log ends. Returns the number of the next segment.
fn read_segment(
    segment: &Segment,
    at: &mut Position,
    apply: &mut dyn FnMut(u64, Changes),
) -> Result<Option<u64>, Error> {
    let mut window = Window::new(segment);
    while let Some((head, payload)) = window.frame(at.offset)? {
        if head.number != at.frame {
            return Err(damaged(segment, at.offset, "a frame of the log is out of order"));
        }
        match head.kind {
            Kind::Seal if payload.len() == 8 => {
                at.frame += 1;
                return Ok(Some(u64_at(payload, 0)));
            }
            Kind::Seal => return Err(damaged(segment, at.offset, "a seal without a number")),
            Kind::Commits => {
                // One copy per frame; keys and values are slices of it.
                let mut payload = Bytes::copy_from_slice(payload);
                for sequence in (head.first..).take(head.commits as usize) {
                    let changes = frame::decode(&mut payload)
                        .ok_or_else(|| damaged(segment, at.offset, "a commit that cannot be read"))?;
                    if sequence > at.sequence {
                        if sequence != at.sequence + 1 {
                            return Err(damaged(segment, at.offset, "commits are missing before this one"));
                        }
                        at.sequence = sequence;
                        apply(sequence, changes);
                    }
                }
            }
        }
        at.offset += frame::size(head.length.into());
        at.frame += 1;
    }
    if let Some(offset) = window.find(at.offset)? {
        let what = format!("a frame is unreadable although later ones, such as at byte {offset}, are intact");
        return Err(damaged(segment, at.offset, &what));
    }
    Ok(None)
}

/// Makes sure that nobody knows of frames behind the end that was found: neither a witness, nor a segment that the
/// chain did not reach because its seal is damaged.
fn check_witnesses<'a>(files: &'a Files, chain: impl Iterator<Item = &'a Segment>, at: Position) -> Result<(), Error> {
    for segment in chain.chain(files.segments.values()) {
        let first = Window::new(segment).frame(START)?.map_or(0, |(head, _)| head.number + 1);
        let synced = segment.read_witness()?.max(first);
        if synced > at.frame {
            let what =
                format!("frame {} of the log was synced and is unreadable, as a note in this file says", at.frame);
            return Err(damaged(segment, at.offset, &what));
        }
    }
    Ok(())
}

/// A part of a segment in memory.
struct Window<'a> {
    segment: &'a Segment,
    start: u64,
    bytes: Vec<u8>,
}

impl Window<'_> {
    fn new(segment: &Segment) -> Window<'_> {
        Window { segment, start: 0, bytes: Vec::new() }
    }

    /// `len` bytes at `offset`, which the caller knows to be inside of the segment.
    fn get(&mut self, offset: u64, len: usize) -> Result<&[u8], Error> {
        let end = offset + len as u64;
        if offset < self.start || end > self.start + self.bytes.len() as u64 {
            // A single small frame is no reason to read a megabyte; a chain of them is.
            let ahead = if self.bytes.is_empty() { WINDOW / 16 } else { WINDOW };
            let count = (self.segment.len - offset).min(len.max(ahead) as u64) as usize;
            self.bytes.resize(count, 0);
            self.start = offset;
            let read = self.segment.file.read(offset, &mut self.bytes);
            read.map_err(|cause| Error::io("read", &self.segment.name, cause))?;
        }
        let from = (offset - self.start) as usize;
        Ok(&self.bytes[from..from + len])
    }

    /// The frame at `offset`, if there is an intact one.
    fn frame(&mut self, offset: u64) -> Result<Option<(Head, &[u8])>, Error> {
        let left = self.segment.len.saturating_sub(offset);
        if left < HEADER as u64 {
            return Ok(None);
        }
        let place = self.segment.place(offset);
        let Some(head) = frame::head(self.get(offset, HEADER)?, place) else {
            return Ok(None);
        };
        let size = frame::size(head.length.into());
        if size > left || u64::from(head.length) > frame::MOST {
            return Ok(None);
        }
        let frame = self.get(offset, size as usize)?;
        if !frame::is_intact(frame, place) {
            return Ok(None);
        }
        Ok(Some((head, &frame[HEADER..HEADER + head.length as usize])))
    }

    /// The first intact frame anywhere behind `offset`.
    fn find(&mut self, offset: u64) -> Result<Option<u64>, Error> {
        let salt = self.segment.salt.to_le_bytes();
        let mut at = offset + 8;
        while at + HEADER as u64 <= self.segment.len {
            let len = (self.segment.len - at).min(WINDOW as u64) as usize / 8 * 8;
            let chunk = self.get(at, len)?;
            match chunk.chunks_exact(8).position(|word| word == salt) {
                None => at += len as u64,
                Some(index) => {
                    at += index as u64 * 8;
                    if self.frame(at)?.is_some() {
                        return Ok(Some(at));
                    }
                    at += 8;
                }
            }
        }
        Ok(None)
    }
}
