//! Live: which snapshots exist, so that versions nobody can see may be dropped.

use crate::snapshot::View;
use parking_lot::Mutex;
use std::sync::{Arc, Weak};

/// The living snapshots and the newest durable sequence number.
#[derive(Debug, Default)]
pub(crate) struct Live(Mutex<Inner>);

#[derive(Debug, Default)]
struct Inner {
    durable: u64,
    /// In no order; the dead are swept when the list has doubled.
    views: Vec<(u64, Weak<View>)>,
    sweep_at: usize,
    #[cfg(test)]
    held: Vec<Weak<u64>>,
}

/// What is alive at one moment.
pub(crate) struct Seen {
    durable: u64,
    sequences: Vec<u64>,
}

impl Seen {
    /// True when some snapshot, living or future, sees a version that was replaced at `successor`. Future ones
    /// start at the durable sequence number or later.
    pub(crate) fn can_see(&self, version: u64, successor: u64) -> bool {
        successor > self.durable || self.sequences.iter().any(|&at| version <= at && at < successor)
    }
}

impl Live {
    /// Remembers a view. Must happen before anybody can read through it.
    pub(crate) fn add(&self, view: &Arc<View>, durable: Option<u64>) {
        let mut inner = self.0.lock();
        inner.durable = durable.unwrap_or(inner.durable);
        if inner.views.len() >= inner.sweep_at {
            inner.views.retain(|(_, view)| view.strong_count() > 0);
            inner.sweep_at = inner.views.len() * 2 + 16;
        }
        inner.views.push((view.sequence, Arc::downgrade(view)));
    }

    pub(crate) fn view(&self) -> Seen {
        let inner = self.0.lock();
        let alive = inner.views.iter().filter(|(_, view)| view.strong_count() > 0);
        let sequences = alive.map(|(sequence, _)| *sequence);
        #[cfg(test)]
        let sequences = sequences.chain(inner.held.iter().filter_map(|held| Some(*held.upgrade()?)));
        Seen { durable: inner.durable, sequences: sequences.collect() }
    }

    #[cfg(test)]
    pub(crate) fn hold_for_test(&self, sequence: u64) -> Arc<u64> {
        let held = Arc::new(sequence);
        self.0.lock().held.push(Arc::downgrade(&held));
        held
    }

    #[cfg(test)]
    pub(crate) fn publish_for_test(&self, sequence: u64) {
        self.0.lock().durable = sequence;
    }
}
