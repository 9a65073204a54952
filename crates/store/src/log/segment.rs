//! Segments: the files of the log.
//!
//! A header in the first sector says which segment this file is at present; a file that is used again gets a new
//! number and a new salt, synced before anything is appended. The witness in the second sector says how many frames
//! are known to be synced; it is written now and then and never waited for. Frames begin at [`START`].

use super::{u32_at, u64_at};
use crate::error::Error;
use crate::io::{File, Io};
use std::sync::Arc;

/// Offset of the first frame: header and witness have sectors of their own, which writing frames never touches.
pub(crate) const START: u64 = 1024;
/// Offset of the witness.
const WITNESS: u64 = 512;
const MAGIC: &[u8; 8] = b"espallog";
/// Format of header and frames.
const FORMAT: u32 = 1;
const HEADER: usize = 48;
/// What the names of segment files start with.
pub(crate) const PREFIX: &str = "log-";

/// A file of the log in its present use.
#[derive(Debug, Clone)]
pub(crate) struct Segment {
    pub(crate) name: Arc<str>,
    pub(crate) file: Arc<dyn File>,
    pub(crate) number: u64,
    pub(crate) salt: u64,
    pub(crate) len: u64,
}

/// What the header of a log file says.
pub(crate) enum Found {
    /// A segment.
    Segment(Segment),
    /// Nothing, or something unreadable: not part of the chain unless the chain asks for it.
    Unused,
}

impl Segment {
    /// Gives a file its new use, durably.
    pub(crate) fn prepare(io: &dyn Io, name: Arc<str>, file: Arc<dyn File>, number: u64) -> Result<Segment, Error> {
        let salt = io.salt();
        let mut header = [0; HEADER];
        header[..8].copy_from_slice(MAGIC);
        header[8..12].copy_from_slice(&FORMAT.to_le_bytes());
        header[16..24].copy_from_slice(&number.to_le_bytes());
        header[24..32].copy_from_slice(&salt.to_le_bytes());
        let len = file.len().map_err(|cause| Error::io("measure", &name, cause))?;
        header[32..40].copy_from_slice(&len.to_le_bytes());
        let sum = crc32fast::hash(&header);
        header[40..44].copy_from_slice(&sum.to_le_bytes());
        let fail = |doing| {
            let name = name.clone();
            move |cause| Error::io(doing, &name, cause)
        };
        file.write(0, &header).map_err(fail("write"))?;
        file.sync().map_err(fail("sync"))?;
        Ok(Segment { name, file, number, salt, len })
    }

    /// Makes a new file of `len` bytes, filled with zeros, and prepares it, durably but for its name.
    pub(crate) fn create_unnamed(io: &dyn Io, name: &str, number: u64, len: u64) -> Result<Segment, Error> {
        let fill = || {
            let file = io.create(name)?;
            file.fill(len)?;
            Ok(file)
        };
        let made = fill().map_err(|cause| Error::io("create", name, cause));
        // One sync for zeros and header: whatever is lost of a new file reads as zeros, or makes it too short.
        let made = made.and_then(|file| Segment::prepare(io, name.into(), file, number));
        made.map_err(|cause| {
            // Half a file is of no use to anybody, and on a full disk its room is.
            let _ = io.remove(name);
            if cause.is_full() { Error::Full { path: io.path() } } else { cause }
        })
    }

    /// Makes a new file of `len` bytes, filled with zeros, and prepares it.
    pub(crate) fn create(io: &dyn Io, name: &str, number: u64, len: u64) -> Result<Segment, Error> {
        let segment = Segment::create_unnamed(io, name, number, len)?;
        io.sync_names().map_err(|cause| Error::io("create", name, cause))?;
        Ok(segment)
    }

    /// Reads the header of a file.
    pub(crate) fn open(io: &dyn Io, name: &str) -> Result<Found, Error> {
        let fail = |doing| move |cause| Error::io(doing, name, cause);
        let file = io.open(name).map_err(fail("open"))?;
        let len = file.len().map_err(fail("measure"))?;
        if len < START {
            return Ok(Found::Unused);
        }
        let mut header = [0; HEADER];
        file.read(0, &mut header).map_err(fail("read"))?;
        let sum = u32_at(&header, 40);
        header[40..44].fill(0);
        if &header[..8] != MAGIC || crc32fast::hash(&header) != sum {
            return Ok(Found::Unused);
        }
        let found = u32_at(&header, 8);
        if found > FORMAT {
            return Err(Error::NewerFormat { path: io.path(), found, known: FORMAT });
        }
        let (number, salt) = (u64_at(&header, 16), u64_at(&header, 24));
        // A file that lost its end is no segment any more, and will be missed if it is needed.
        if u64_at(&header, 32) != len {
            return Ok(Found::Unused);
        }
        Ok(Found::Segment(Segment { name: name.into(), file, number, salt, len }))
    }

    /// Notes that all frames before number `frame` are synced.
    pub(crate) fn write_witness(&self, frame: u64) -> Result<(), Error> {
        let mut bytes = [0; 24];
        bytes[..8].copy_from_slice(&self.salt.to_le_bytes());
        bytes[8..16].copy_from_slice(&frame.to_le_bytes());
        let sum = crc32fast::hash(&bytes[..16]);
        bytes[16..20].copy_from_slice(&sum.to_le_bytes());
        self.write(WITNESS, &bytes)
    }

    /// The number of the first frame that is not known to be synced; zero when nothing is known.
    pub(crate) fn read_witness(&self) -> Result<u64, Error> {
        let mut bytes = [0; 24];
        let read = self.file.read(WITNESS, &mut bytes);
        read.map_err(|cause| Error::io("read", &self.name, cause))?;
        let valid = u64_at(&bytes, 0) == self.salt && u32_at(&bytes, 16) == crc32fast::hash(&bytes[..16]);
        Ok(if valid { u64_at(&bytes, 8) } else { 0 })
    }

    pub(crate) fn place(&self, offset: u64) -> super::frame::Place {
        super::frame::Place { salt: self.salt, segment: self.number, offset }
    }

    pub(crate) fn sync(&self) -> Result<(), Error> {
        self.file.sync().map_err(|cause| Error::io("sync", &self.name, cause))
    }

    pub(crate) fn write(&self, offset: u64, data: &[u8]) -> Result<(), Error> {
        self.file.write(offset, data).map_err(|cause| Error::io("write", &self.name, cause))
    }
}
