//! The checkpoint: moves the frozen layer into the tree.
//!
//! In chunks, each a durable transaction of its own, sorted by key. Readers do not notice: the frozen layer lies
//! over the tree until the last chunk is in, and entries are whole values, so writing some of them twice after a
//! crash changes nothing. The position in the log goes with the last chunk; only then are segments given back.

use crate::error::Error;
use crate::log::Position;
use crate::recent::Recent;
use crate::store::Core;
use std::ops::Bound;
use std::sync::Arc;
use std::sync::atomic::Ordering;

impl Core {
    /// The checkpoint thread.
    pub(crate) fn run_checkpoint(&self) {
        loop {
            {
                let mut layers = self.layers.lock();
                while layers.frozen.as_ref().is_none_or(|frozen| frozen.position.is_none())
                    || self.gate.failure().is_some()
                {
                    if self.stop.load(Ordering::Acquire) {
                        return;
                    }
                    self.checkpoint.wait(&mut layers);
                }
            }
            self.checkpoint_once();
            if self.stop.load(Ordering::Acquire) {
                return;
            }
        }
    }

    /// Moves the frozen layer, if there is one and it is durable. False when nothing was moved.
    pub(crate) fn checkpoint_once(&self) -> bool {
        let (recent, position) = match &self.layers.lock().frozen {
            Some(frozen) => match frozen.position {
                Some(position) => (frozen.recent.clone(), position),
                None => return false,
            },
            None => return false,
        };
        if self.gate.failure().is_some() {
            return false;
        }
        match self.move_into_tree(&recent, position) {
            Ok(moved) => moved,
            Err(cause) => {
                self.fail(cause);
                self.checkpoint.notify_all();
                false
            }
        }
        // The frozen layer is freed here, by this thread, unless a reader still looks at it.
    }

    fn move_into_tree(&self, recent: &Recent, position: Position) -> Result<bool, Error> {
        let guard = self.tree.lock();
        let Some(tree) = &*guard else {
            return Ok(false);
        };
        let mut after = None;
        loop {
            let from = after.as_ref().map_or(Bound::Unbounded, |key: &bytes::Bytes| Bound::Excluded(&key[..]));
            let chunk = recent.page(from, self.options.chunk_entries);
            let last = chunk.len() < self.options.chunk_entries;
            after = chunk.last().map(|(key, _)| key.clone()).or(after);
            tree.write(chunk, last.then_some(position))?;
            if last {
                break;
            }
            if self.stop.load(Ordering::Acquire) {
                return Ok(false);
            }
        }
        let view = Arc::new(tree.view()?);
        drop(guard);
        {
            let mut layers = self.layers.lock();
            layers.tree = view;
            layers.frozen = None;
            self.republish(&layers);
            // What came in meanwhile may be enough for the next round already.
            self.freeze(&mut layers);
        }
        self.counters.checkpoints.fetch_add(1, Ordering::Relaxed);
        let done = self.log.lock().release(position);
        self.supply.give_back(done);
        self.checkpoint.notify_all();
        Ok(true)
    }
}
