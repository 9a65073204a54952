//! The supply: segments made ready before the log needs them, and taken back when the tree has their content.
//!
//! Filling 16 MB with zeros takes longer than a hundred syncs, so it happens on a thread of its own. Nothing is
//! prepared before the first commit, two segments after it, and the configured number once a first segment has been
//! filled: a store that is only looked at costs nothing.
//!
//! [`Supply::reserve`] is asked before a commit is accepted. So what was accepted always has room in the log, and a
//! full disk refuses a commit before it has had any effect. If the log has overtaken the supply, a small segment is
//! made on the spot.

use super::segment::Segment;
use crate::error::Error;
use crate::io::Io;
use parking_lot::{Condvar, Mutex};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Length of a segment that somebody is waiting for.
pub(crate) const SMALL: u64 = 1024 * 1024;
/// How long to wait before asking a full disk again.
const RETRY: Duration = Duration::from_millis(100);

/// Prepares and takes back segments.
#[derive(Debug)]
pub(crate) struct Supply {
    io: Arc<dyn Io>,
    segment_bytes: u64,
    spare: usize,
    /// Files beyond this number are removed instead of kept for later.
    keep: usize,
    state: Mutex<State>,
    wanted: Condvar,
    /// The last attempt to get room from the disk failed.
    full: AtomicBool,
}

#[derive(Debug)]
struct State {
    ready: VecDeque<Segment>,
    /// Files of full length whose content is no longer needed.
    idle: Vec<Segment>,
    target: usize,
    next_number: u64,
    next_file: u64,
    /// When a full disk was last asked on behalf of a commit.
    asked: Option<Instant>,
    stop: bool,
}

impl Supply {
    pub(crate) fn new(
        io: Arc<dyn Io>,
        segment_bytes: u64,
        spare: usize,
        keep: usize,
        next_number: u64,
        next_file: u64,
        idle: Vec<Segment>,
    ) -> Supply {
        let state = State {
            ready: VecDeque::new(),
            idle: Vec::new(),
            target: 0,
            next_number,
            next_file,
            asked: None,
            stop: false,
        };
        let supply = Supply {
            io,
            segment_bytes,
            spare,
            keep,
            state: Mutex::new(state),
            wanted: Condvar::new(),
            full: AtomicBool::new(false),
        };
        supply.give_back(idle);
        supply
    }

    /// A segment with room for `size` bytes of frames, at once.
    pub(crate) fn take(&self, size: u64) -> Result<Segment, Error> {
        let mut state = self.state.lock();
        let position = state.ready.iter().position(|segment| super::segment::START + size <= segment.len);
        if let Some(segment) = position.and_then(|position| state.ready.remove(position)) {
            state.target = self.spare;
            self.wanted.notify_one();
            return Ok(segment);
        }
        drop(state);
        // Reserved room makes this unnecessary, but a segment is better than none.
        self.create(size)
    }

    /// Makes sure that `count` ready segments have room for `size` bytes of frames.
    pub(crate) fn reserve(&self, size: u64, count: usize) -> Result<(), Error> {
        loop {
            let mut state = self.state.lock();
            let fits = |segment: &&Segment| super::segment::START + size <= segment.len;
            if state.ready.iter().filter(fits).count() >= count {
                return Ok(());
            }
            if self.is_full() {
                if state.asked.is_some_and(|asked| asked.elapsed() < RETRY) {
                    return Err(Error::Full { path: self.io.path() });
                }
                state.asked = Some(Instant::now());
            }
            drop(state);
            let segment = self.create(size)?;
            self.state.lock().ready.push_back(segment);
        }
    }

    fn create(&self, size: u64) -> Result<Segment, Error> {
        let (number, name) = self.state.lock().name();
        let len = (super::segment::START + size).next_multiple_of(4096).max(SMALL.min(self.segment_bytes));
        let made = Segment::create(&*self.io, &name, number, len);
        self.note(&made);
        made
    }

    /// Takes back segments whose content is in the tree.
    pub(crate) fn give_back(&self, segments: Vec<Segment>) {
        let mut surplus = Vec::new();
        {
            let mut state = self.state.lock();
            for segment in segments {
                if segment.len == self.segment_bytes && state.idle.len() + state.ready.len() < self.keep {
                    state.idle.push(segment);
                } else {
                    surplus.push(segment);
                }
            }
        }
        for segment in surplus {
            // A file that cannot be removed now is found again, unused, when the store opens next.
            let _ = self.io.remove(&segment.name);
        }
        self.wanted.notify_one();
    }

    /// Something was committed, so the log will go on.
    pub(crate) fn expect_use(&self) {
        let mut state = self.state.lock();
        if state.target == 0 {
            state.target = self.spare.min(2);
            self.wanted.notify_one();
        }
    }

    /// Prepares segments until enough are ready. Stops at the first failure.
    pub(crate) fn fill(&self) -> Result<(), Error> {
        loop {
            let mut state = self.state.lock();
            if state.stop || state.ready.len() >= state.target {
                return Ok(());
            }
            let idle = state.idle.pop();
            let (number, name) = state.name();
            drop(state);
            let made = match idle {
                Some(old) => Segment::prepare(&*self.io, old.name, old.file, number),
                None => Segment::create(&*self.io, &name, number, self.segment_bytes),
            };
            self.note(&made);
            self.state.lock().ready.push_back(made?);
        }
    }

    /// Fills whenever something was taken, and keeps asking a full disk, until stopped. Any other failure is returned,
    /// and nothing is prepared any more.
    pub(crate) fn run(&self) -> Result<(), Error> {
        loop {
            let filled = self.fill();
            let mut state = self.state.lock();
            match filled {
                _ if state.stop => return Ok(()),
                Ok(()) if state.ready.len() < state.target => {}
                Ok(()) => self.wanted.wait(&mut state),
                Err(Error::Full { .. }) => drop(self.wanted.wait_for(&mut state, RETRY)),
                Err(cause) => {
                    state.stop = true;
                    return Err(cause);
                }
            }
        }
    }

    pub(crate) fn stop(&self) {
        self.state.lock().stop = true;
        self.wanted.notify_all();
    }

    /// Whether the disk refused room for a segment the last time it was asked.
    pub(crate) fn is_full(&self) -> bool {
        self.full.load(Ordering::Relaxed)
    }

    /// Number of segments that are ready or idle.
    pub(crate) fn count(&self) -> usize {
        let state = self.state.lock();
        state.ready.len() + state.idle.len()
    }

    fn note(&self, made: &Result<Segment, Error>) {
        match made {
            Ok(_) => self.full.store(false, Ordering::Relaxed),
            Err(Error::Full { .. }) => self.full.store(true, Ordering::Relaxed),
            Err(_) => {}
        }
    }
}

impl State {
    /// The next segment number and the name of a file that does not exist yet.
    fn name(&mut self) -> (u64, String) {
        let (number, file) = (self.next_number, self.next_file);
        self.next_number += 1;
        self.next_file += 1;
        (number, format!("{}{file:06}", super::segment::PREFIX))
    }
}
