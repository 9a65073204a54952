//! The writer: appends frames to the chain, one write and one sync each.

use super::Position;
use super::frame::{self, HEADER, Head, Kind};
use super::segment::{START, Segment};
use super::supply::Supply;
use crate::error::Error;
use std::collections::VecDeque;

/// Room that every segment keeps for its seal.
pub(crate) const SEAL: u64 = HEADER as u64 + 8;

/// Appends to the log. Used by one thread.
#[derive(Debug)]
pub(crate) struct Writer {
    segment: Segment,
    offset: u64,
    /// Number of the next frame.
    frame: u64,
    /// Segments before the present one whose content the tree may lack.
    sealed: VecDeque<Segment>,
    witnessed: bool,
}

impl Writer {
    pub(crate) fn new(segment: Segment, at: Position, sealed: VecDeque<Segment>) -> Writer {
        Writer { segment, offset: at.offset, frame: at.frame, sealed, witnessed: true }
    }

    /// Where the next frame starts.
    pub(crate) fn end(&self, sequence: u64) -> Position {
        Position { segment: self.segment.number, offset: self.offset, frame: self.frame, sequence }
    }

    /// Bytes of frames that still fit into the present segment.
    pub(crate) fn left(&self) -> u64 {
        self.segment.len.saturating_sub(self.offset + SEAL)
    }

    /// Number of segments that hold something the tree may lack.
    pub(crate) fn segments(&self) -> usize {
        self.sealed.len() + 1
    }

    /// Makes sure that a payload of `length` fits, going on to the next segment if it must.
    pub(crate) fn make_room(&mut self, length: u64, supply: &Supply) -> Result<(), Error> {
        let size = frame::size(length);
        if size <= self.left() {
            return Ok(());
        }
        let next = supply.take(size + SEAL)?;
        let mut seal = vec![0; HEADER];
        seal.extend_from_slice(&next.number.to_le_bytes());
        let head = Head { kind: Kind::Seal, length: 0, number: self.frame, first: 0, commits: 0 };
        frame::finish(&mut seal, head, self.segment.place(self.offset));
        self.segment.write(self.offset, &seal)?;
        // Without this sync a power cut could keep the new segment and lose the way to it.
        self.segment.sync()?;
        self.frame += 1;
        self.offset = START;
        self.sealed.push_back(std::mem::replace(&mut self.segment, next));
        Ok(())
    }

    /// Appends commits that stand in `buffer` behind [`HEADER`] free bytes, and syncs them.
    /// [`Writer::make_room`] was called before. Returns where the frame starts.
    pub(crate) fn append(&mut self, buffer: &mut Vec<u8>, first: u64, commits: u32) -> Result<Position, Error> {
        let start = self.end(first - 1);
        let head = Head { kind: Kind::Commits, length: 0, number: self.frame, first, commits };
        frame::finish(buffer, head, self.segment.place(self.offset));
        self.segment.write(self.offset, buffer)?;
        self.segment.sync()?;
        self.offset += buffer.len() as u64;
        self.frame += 1;
        self.witnessed = false;
        Ok(start)
    }

    /// True when frames were synced since the last witness.
    pub(crate) fn wants_witness(&self) -> bool {
        !self.witnessed
    }

    /// Notes how many frames are synced. Not synced itself.
    pub(crate) fn witness(&mut self) -> Result<(), Error> {
        if !self.witnessed {
            self.segment.write_witness(self.frame)?;
            self.witnessed = true;
        }
        Ok(())
    }

    /// Gives up the segments that lie before `position`, which the tree has reached durably.
    pub(crate) fn release(&mut self, position: Position) -> Vec<Segment> {
        let mut done = Vec::new();
        if let Some(index) = self.sealed.iter().position(|segment| segment.number == position.segment) {
            done.extend(self.sealed.drain(..index));
        } else if self.segment.number == position.segment {
            done.extend(self.sealed.drain(..));
        }
        done
    }
}
