//! Waiting for durability.
//!
//! The [`Gate`] holds the newest durable sequence number. A [`Commit`] is a number and a way to be woken; one sync
//! opens the gate for all commits that it covered.

use crate::error::Error;
use parking_lot::Mutex;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::Thread;

/// The newest durable sequence number, and who waits for a later one.
#[derive(Debug, Default)]
pub(crate) struct Gate {
    durable: AtomicU64,
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    failure: Option<Error>,
    waiting: Vec<(u64, Waker)>,
}

impl Gate {
    pub(crate) fn new(durable: u64) -> Gate {
        Gate { durable: AtomicU64::new(durable), inner: Mutex::default() }
    }

    pub(crate) fn durable(&self) -> u64 {
        self.durable.load(Ordering::Acquire)
    }

    /// Lets everybody up to `sequence` through.
    pub(crate) fn open(&self, sequence: u64) {
        let mut inner = self.inner.lock();
        self.durable.store(sequence, Ordering::Release);
        let waiting = std::mem::take(&mut inner.waiting);
        let (through, still): (Vec<_>, Vec<_>) = waiting.into_iter().partition(|(wanted, _)| *wanted <= sequence);
        inner.waiting = still;
        drop(inner);
        through.into_iter().for_each(|(_, waker)| waker.wake());
    }

    /// Tells everybody who waits, and everybody who comes, that it will not get better. The first cause stays.
    pub(crate) fn fail(&self, cause: Error) {
        let mut inner = self.inner.lock();
        inner.failure.get_or_insert(cause);
        let waiting = std::mem::take(&mut inner.waiting);
        drop(inner);
        waiting.into_iter().for_each(|(_, waker)| waker.wake());
    }

    pub(crate) fn failure(&self) -> Option<Error> {
        self.inner.lock().failure.clone()
    }
}

/// A commit on its way to the disk. Resolves to its sequence number when it is durable.
///
/// A future for any runtime, and [`Commit::wait`] for threads. Dropping it does not take the commit back.
#[derive(Debug)]
#[must_use = "a commit is durable when it has resolved, not before"]
pub struct Commit(State);

#[derive(Debug)]
enum State {
    Waiting { gate: Arc<Gate>, sequence: u64, registered: Option<Waker> },
    Refused(Error),
}

impl Commit {
    pub(crate) fn new(gate: Arc<Gate>, sequence: u64) -> Commit {
        Commit(State::Waiting { gate, sequence, registered: None })
    }

    pub(crate) fn refused(cause: Error) -> Commit {
        Commit(State::Refused(cause))
    }

    /// The sequence number, durable or not; `None` when the commit was refused and nothing happened.
    pub fn sequence(&self) -> Option<u64> {
        match &self.0 {
            State::Waiting { sequence, .. } => Some(*sequence),
            State::Refused(_) => None,
        }
    }

    /// Blocks this thread until the commit is durable.
    pub fn wait(self) -> Result<u64, Error> {
        struct Unpark(Thread);
        impl Wake for Unpark {
            fn wake(self: Arc<Self>) {
                self.0.unpark();
            }
        }
        let mut commit = self;
        if let Poll::Ready(result) = commit.check() {
            return result;
        }
        let waker = Waker::from(Arc::new(Unpark(std::thread::current())));
        let mut context = Context::from_waker(&waker);
        loop {
            match Pin::new(&mut commit).poll(&mut context) {
                Poll::Ready(result) => return result,
                Poll::Pending => std::thread::park(),
            }
        }
    }

    fn check(&self) -> Poll<Result<u64, Error>> {
        match &self.0 {
            State::Refused(cause) => Poll::Ready(Err(cause.clone())),
            State::Waiting { gate, sequence, .. } if gate.durable() >= *sequence => Poll::Ready(Ok(*sequence)),
            State::Waiting { .. } => Poll::Pending,
        }
    }
}

impl Future for Commit {
    type Output = Result<u64, Error>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let ready = self.check();
        let State::Waiting { gate, sequence, registered } = &mut self.0 else {
            return ready;
        };
        if ready.is_ready() {
            return ready;
        }
        let mut inner = gate.inner.lock();
        // Again, because the gate may have opened between the look and the lock.
        if gate.durable() >= *sequence {
            return Poll::Ready(Ok(*sequence));
        }
        if let Some(cause) = &inner.failure {
            return Poll::Ready(Err(cause.clone()));
        }
        if !registered.as_ref().is_some_and(|waker| waker.will_wake(context.waker())) {
            inner.waiting.push((*sequence, context.waker().clone()));
            *registered = Some(context.waker().clone());
        }
        Poll::Pending
    }
}
