//! The store: the layers, the threads, and the way of a commit through them.
//!
//! `commit` numbers the changes, puts them into the active layer and encodes them into the [`Queue`]. The log
//! thread ([`Core::write_pending`]) takes the whole queue, makes it one frame, syncs, and publishes a new durable
//! view. When the active layer is full it is frozen, and the checkpoint thread moves it into the tree.
//!
//! Locks, in the order in which they may be taken: `log`, `layers`, `queue`, then those inside of `live`, `gate`
//! and `supply`.

use crate::changes::Changes;
use crate::commit::{Commit, Gate};
use crate::error::Error;
use crate::io::Io;
use crate::live::Live;
use crate::log::supply::Supply;
use crate::log::writer::{SEAL, Writer};
use crate::log::{Position, frame};
use crate::options::Options;
use crate::recent::Recent;
use crate::snapshot::{Snapshot, View};
use crate::stats::{Counters, Stats};
use crate::tree::{Backend, Tree, TreeView};
use parking_lot::{Condvar, Mutex, RwLock};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// How long the log must have nothing to do before it notes how far it is synced.
const IDLE: Duration = Duration::from_millis(100);
/// A queue buffer larger than this is not kept.
const KEEP: usize = 1024 * 1024;

/// Everything that the handles and the threads share.
pub(crate) struct Core {
    pub(crate) options: Options,
    pub(crate) io: Arc<dyn Io>,
    pub(crate) layers: Mutex<Layers>,
    /// What readers get.
    published: RwLock<Arc<View>>,
    pub(crate) live: Live,
    pub(crate) gate: Arc<Gate>,
    queue: Mutex<Queue>,
    /// Something was queued, or the checkpoint made room.
    queued: Condvar,
    pub(crate) log: Mutex<Writer>,
    pub(crate) supply: Supply,
    /// `None` once closed.
    pub(crate) tree: Mutex<Option<Tree>>,
    pub(crate) backend: Backend,
    /// With `layers`: there is something to checkpoint, or to stop for.
    pub(crate) checkpoint: Condvar,
    pub(crate) stop: AtomicBool,
    closed: AtomicBool,
    committing: AtomicBool,
    pub(crate) counters: Counters,
}

/// The layers of the newest state, durable or not.
pub(crate) struct Layers {
    pub(crate) sequence: u64,
    pub(crate) active: Arc<Recent>,
    pub(crate) frozen: Option<Frozen>,
    pub(crate) tree: Arc<TreeView>,
    /// The end of the log, as far as it is durable.
    pub(crate) durable: Position,
    /// Freeze as soon as possible, whatever the size.
    pub(crate) flush: bool,
}

/// A layer on its way into the tree.
pub(crate) struct Frozen {
    pub(crate) recent: Arc<Recent>,
    /// The newest commit in it.
    pub(crate) sequence: u64,
    /// From where to replay when the tree has it. Known once it is durable.
    pub(crate) position: Option<Position>,
}

/// Commits that wait for the log thread, encoded, behind the room for a frame's header.
pub(crate) struct Queue {
    buffer: Vec<u8>,
    first: u64,
    commits: u32,
    /// Bytes of frames that fit into the present segment, as far as it is written.
    left: u64,
    /// Bytes of the frame that the log thread has taken and not written yet.
    taken: u64,
    /// The log thread waits and wants to be woken.
    idle: bool,
    stop: bool,
}

impl Queue {
    fn new(left: u64) -> Queue {
        let buffer = vec![0; frame::HEADER];
        Queue { buffer, first: 0, commits: 0, left, taken: 0, idle: false, stop: false }
    }
}

impl fmt::Debug for Core {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Store").field("path", &self.io.path()).finish_non_exhaustive()
    }
}

impl Core {
    pub(crate) fn new(
        options: Options,
        io: Arc<dyn Io>,
        tree: Tree,
        active: Recent,
        log: Writer,
        supply: Supply,
        durable: Position,
    ) -> Result<Core, Error> {
        let sequence = durable.sequence;
        let layers = Layers {
            sequence,
            active: Arc::new(active),
            frozen: None,
            tree: Arc::new(tree.view()?),
            durable,
            flush: false,
        };
        let view = Arc::new(layers.view(sequence));
        let live = Live::default();
        live.add(&view, Some(sequence));
        Ok(Core {
            options,
            io,
            layers: Mutex::new(layers),
            published: RwLock::new(view),
            live,
            gate: Arc::new(Gate::new(sequence)),
            queue: Mutex::new(Queue::new(log.left())),
            queued: Condvar::new(),
            log: Mutex::new(log),
            supply,
            backend: tree.backend().clone(),
            tree: Mutex::new(Some(tree)),
            checkpoint: Condvar::new(),
            stop: AtomicBool::new(false),
            closed: AtomicBool::new(false),
            committing: AtomicBool::new(false),
            counters: Counters::default(),
        })
    }

    pub(crate) fn snapshot(&self) -> Snapshot {
        Snapshot(self.published.read().clone())
    }

    pub(crate) fn latest(&self) -> Snapshot {
        let layers = self.layers.lock();
        let view = Arc::new(layers.view(layers.sequence));
        self.live.add(&view, None);
        Snapshot(view)
    }

    pub(crate) fn commit(&self, changes: Changes) -> Commit {
        let alone = !self.committing.swap(true, Ordering::Acquire);
        debug_assert!(alone, "two commits at once: callers must take turns");
        let commit = self.accept(changes);
        self.committing.store(false, Ordering::Release);
        commit.unwrap_or_else(Commit::refused)
    }

    fn accept(&self, changes: Changes) -> Result<Commit, Error> {
        if let Some(cause) = self.gate.failure() {
            return Err(cause);
        }
        if self.closed.load(Ordering::Acquire) {
            return Err(Error::Closed);
        }
        if changes.is_empty() {
            return Ok(Commit::new(self.gate.clone(), self.layers.lock().sequence));
        }
        self.reserve(&changes).map_err(|cause| self.fail_unless_full(cause))?;
        let mut layers = self.layers.lock();
        if self.backend.is_waiting() && layers.active.bytes() >= self.options.recent_bytes {
            return Err(Error::Full { path: self.io.path() });
        }
        let sequence = layers.sequence + 1;
        {
            let mut queue = self.queue.lock();
            if queue.commits == 0 {
                queue.first = sequence;
            }
            queue.commits += 1;
            frame::encode(&changes, &mut queue.buffer);
        }
        layers.active.apply(sequence, changes, &self.live);
        layers.sequence = sequence;
        self.freeze(&mut layers);
        drop(layers);
        self.counters.commits.fetch_add(1, Ordering::Relaxed);
        // Woken only now, so that the log thread does not run into the locks above.
        let mut queue = self.queue.lock();
        if std::mem::take(&mut queue.idle) {
            self.queued.notify_one();
        }
        drop(queue);
        if !self.options.background {
            self.work();
        }
        Ok(Commit::new(self.gate.clone(), sequence))
    }

    /// Makes sure that the log has room for these changes, before they have any effect. Commits take turns, so the
    /// queue can only get shorter until they are added.
    fn reserve(&self, changes: &Changes) -> Result<(), Error> {
        let bytes = frame::encoded_len(changes) as u64;
        let (most, (queued, taken, left)) = (frame::MOST / 4, {
            let queue = self.queue.lock();
            (queue.buffer.len() as u64, queue.taken, queue.left)
        });
        // Commits that wait go into one frame. More than a frame can hold means that nobody waited for theirs.
        if bytes > most || queued + bytes > frame::MOST {
            return Err(Error::TooLarge { bytes, most });
        }
        let size = frame::size(queued + bytes) + SEAL;
        if taken + size <= left {
            return Ok(());
        }
        // The frame that is being written may take one of the segments away.
        self.supply.reserve(taken + size + SEAL, if taken > 0 { 2 } else { 1 })
    }

    /// Without threads: does at once, in a fixed order, what the threads would do.
    pub(crate) fn work(&self) {
        self.write_pending();
        self.witness();
        self.supply.expect_use();
        if let Err(cause) = self.supply.fill() {
            self.fail_unless_full(cause);
        }
        while self.checkpoint_once() {}
    }

    /// Starts a new active layer when the present one is full and the one before is in the tree.
    pub(crate) fn freeze(&self, layers: &mut Layers) {
        let full = layers.active.bytes() >= self.options.recent_bytes || layers.flush;
        if !full || layers.frozen.is_some() || layers.active.is_empty() {
            return;
        }
        let recent = std::mem::take(&mut layers.active);
        layers.flush = false;
        // Where it ends in the log is known now, or when the log thread has written it.
        let position = (layers.durable.sequence == layers.sequence).then_some(layers.durable);
        layers.frozen = Some(Frozen { recent, sequence: layers.sequence, position });
        self.checkpoint.notify_all();
    }

    /// Writes what is queued. False when there is nothing to do any more.
    pub(crate) fn write_pending(&self) -> bool {
        let mut log = self.log.lock();
        let mut queue = self.queue.lock();
        if queue.commits == 0 || self.gate.failure().is_some() {
            return false;
        }
        let mut buffer = std::mem::replace(&mut queue.buffer, vec![0; frame::HEADER]);
        let (first, commits) = (queue.first, std::mem::take(&mut queue.commits));
        let length = (buffer.len() - frame::HEADER) as u64;
        queue.taken = frame::size(length);
        drop(queue);
        let last = first + u64::from(commits) - 1;
        let room = log.make_room(length, &self.supply);
        let written = room.and_then(|()| log.append(&mut buffer, first, commits));
        let start = match written {
            Ok(start) => start,
            Err(cause) => {
                self.gate.fail(cause.poisoned());
                return false;
            }
        };
        let left = log.left();
        self.counters.syncs.fetch_add(1, Ordering::Relaxed);
        self.counters.log_bytes.fetch_add(frame::size(length), Ordering::Relaxed);
        let end = log.end(last);
        buffer.clear();
        buffer.resize(frame::HEADER, 0);
        {
            let mut queue = self.queue.lock();
            (queue.left, queue.taken) = (left, 0);
            // Reused, so that a busy log does not allocate.
            if queue.commits == 0 && buffer.capacity() <= KEEP {
                queue.buffer = buffer;
            }
        }
        self.publish(first, last, start, end);
        self.gate.open(last);
        // Held until here, so that a failure elsewhere comes before or after a frame and never in the middle.
        drop(log);
        true
    }

    /// Shows readers everything up to `last`.
    fn publish(&self, first: u64, last: u64, start: Position, end: Position) {
        let mut layers = self.layers.lock();
        if let Some(frozen) = &mut layers.frozen
            && frozen.position.is_none()
            && frozen.sequence <= last
        {
            let inside = (first..last).contains(&frozen.sequence);
            let at = if inside { start } else { end };
            frozen.position = Some(Position { sequence: frozen.sequence, ..at });
            self.checkpoint.notify_all();
        }
        layers.durable = end;
        self.republish(&layers);
    }

    /// Gives readers the layers as they are, at the durable sequence number.
    pub(crate) fn republish(&self, layers: &Layers) {
        let durable = layers.durable.sequence;
        let view = Arc::new(layers.view(durable));
        self.live.add(&view, Some(durable));
        let old = std::mem::replace(&mut *self.published.write(), view);
        drop(old);
    }

    /// The log thread.
    pub(crate) fn run_log(&self) {
        let mut first = true;
        loop {
            self.hold_back();
            if self.write_pending() {
                if std::mem::take(&mut first) {
                    self.supply.expect_use();
                }
                continue;
            }
            let mut wants_witness = self.log.lock().wants_witness();
            let mut queue = self.queue.lock();
            while queue.commits == 0 || self.gate.failure().is_some() {
                queue.idle = true;
                let stop = queue.stop;
                if wants_witness && (stop || self.queued.wait_for(&mut queue, IDLE).timed_out()) {
                    drop(queue);
                    self.witness();
                    wants_witness = false;
                    queue = self.queue.lock();
                } else if stop {
                    return;
                } else if !wants_witness {
                    self.queued.wait(&mut queue);
                }
            }
            queue.idle = false;
        }
    }

    fn witness(&self) {
        let mut log = self.log.lock();
        if self.gate.failure().is_none()
            && let Err(cause) = log.witness()
        {
            self.gate.fail(cause.poisoned());
        }
    }

    /// The thread that prepares segments.
    pub(crate) fn run_supply(&self) {
        while let Err(cause) = self.supply.run() {
            self.fail_unless_full(cause);
        }
    }

    /// No more commits until the store is reopened. Not to be called with the log or the layers locked.
    pub(crate) fn fail(&self, cause: Error) -> Error {
        let _log = self.log.lock();
        let cause = cause.poisoned();
        self.gate.fail(cause.clone());
        cause
    }

    /// A full disk refuses what it refuses; any other failure of the log's files stops the store.
    fn fail_unless_full(&self, cause: Error) -> Error {
        if matches!(cause, Error::Full { .. }) { cause } else { self.fail(cause) }
    }

    /// Back-pressure: while memory is full and the checkpoint works, what was committed is made durable later, so
    /// that those who wait for it do not commit more. What the checkpoint itself waits for is never held back, nor
    /// anything when the disk is full: then new commits are refused, and the accepted ones should get through.
    fn hold_back(&self) {
        let mut layers = self.layers.lock();
        loop {
            let working = layers.frozen.as_ref().is_some_and(|frozen| frozen.position.is_some());
            let over = layers.active.bytes() >= self.options.recent_bytes;
            let ending = self.stop.load(Ordering::Relaxed) || self.closed.load(Ordering::Relaxed);
            if !working || !over || ending || self.backend.is_waiting() || self.gate.failure().is_some() {
                return;
            }
            self.counters.held_back.fetch_add(1, Ordering::Relaxed);
            self.checkpoint.wait_for(&mut layers, Duration::from_millis(50));
        }
    }

    /// Ends the log thread once the queue is written.
    pub(crate) fn stop_log(&self) {
        self.queue.lock().stop = true;
        self.queued.notify_all();
    }

    /// No more commits from here on. False when that was so already.
    pub(crate) fn begin_close(&self) -> bool {
        !self.closed.swap(true, Ordering::AcqRel)
    }

    pub(crate) fn stats(&self) -> Stats {
        let (active, frozen) = {
            let layers = self.layers.lock();
            (layers.active.bytes(), layers.frozen.as_ref().map_or(0, |frozen| frozen.recent.bytes()))
        };
        let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Stats {
            recent_bytes: active + frozen,
            log_segments: self.log.lock().segments(),
            spare_segments: self.supply.count(),
            commits: count(&self.counters.commits),
            syncs: count(&self.counters.syncs),
            log_bytes: count(&self.counters.log_bytes),
            checkpoints: count(&self.counters.checkpoints),
            held_back: count(&self.counters.held_back),
            durable: self.gate.durable(),
            full: self.supply.is_full() || self.backend.is_waiting(),
            poisoned: matches!(self.gate.failure(), Some(Error::Poisoned { .. })),
        }
    }
}

impl Layers {
    pub(crate) fn view(&self, sequence: u64) -> View {
        View {
            sequence,
            active: self.active.clone(),
            frozen: self.frozen.as_ref().map(|frozen| frozen.recent.clone()),
            tree: self.tree.clone(),
        }
    }
}
