//! Snapshots: one consistent state, for as long as somebody looks at it.
//!
//! A state is three layers, newest first: active (being written), frozen (on its way into the tree), tree. A key's
//! newest entry wins; a deleted key in an upper layer hides those below.

use crate::error::Error;
use crate::recent::{Cursor, Recent};
use crate::tree::{Row, TreeView};
use bytes::Bytes;
use std::cmp::Ordering;
use std::ops::{Bound, ControlFlow};
use std::sync::Arc;

/// Which way a scan goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// From small keys to large ones.
    Forward,
    /// From large keys to small ones.
    Backward,
}

/// What a scan calls with each key and value, until it breaks.
pub type Visit<'a> = dyn FnMut(&[u8], &[u8]) -> ControlFlow<()> + 'a;

/// The layers, and how far into them a reader sees.
#[derive(Debug)]
pub(crate) struct View {
    pub(crate) sequence: u64,
    pub(crate) active: Arc<Recent>,
    pub(crate) frozen: Option<Arc<Recent>>,
    pub(crate) tree: Arc<TreeView>,
}

/// One state of the store. Cloning is a reference count.
///
/// While it is held, the memory and the pages that it needs are kept: hold it for as long as one request or one
/// export, not for ever. After [`Store::close`](crate::Store::close) reads may fail with [`Error::Closed`].
#[derive(Debug, Clone)]
pub struct Snapshot(pub(crate) Arc<View>);

impl Snapshot {
    /// The value of `key`.
    pub fn get(&self, key: &[u8]) -> Result<Option<Bytes>, Error> {
        match self.0.recent(key) {
            Some(value) => Ok(value),
            None => self.0.tree.get(key, Bytes::copy_from_slice),
        }
    }

    /// Passes the value of `key` to `read` without copying it out of the tree.
    pub fn get_with<T>(&self, key: &[u8], read: impl FnOnce(&[u8]) -> T) -> Result<Option<T>, Error> {
        match self.0.recent(key) {
            Some(value) => Ok(value.as_deref().map(read)),
            None => self.0.tree.get(key, read),
        }
    }

    /// Visits the entries between two keys, ordered by the bytes of the key, until `visit` breaks.
    ///
    /// An error in the middle comes after the entries before it were visited. No lock is held during `visit`.
    pub fn scan(
        &self,
        from: Bound<&[u8]>,
        to: Bound<&[u8]>,
        direction: Direction,
        visit: &mut Visit<'_>,
    ) -> Result<(), Error> {
        if is_empty(from, to) {
            return Ok(());
        }
        let view = &*self.0;
        let mut rows = view.tree.rows(from, to, direction)?;
        let cursor = |recent| Cursor::new(recent, view.sequence, from, to, direction);
        let mut active = cursor(&view.active);
        let mut frozen = view.frozen.as_deref().map(cursor);
        let mut row = rows.next()?;
        loop {
            let Some((key, value)) = take_upper(&mut active, &mut frozen, row.as_ref(), direction) else {
                let Some(entry) = &row else {
                    return Ok(());
                };
                if visit(entry.key(), entry.value()?).is_break() {
                    return Ok(());
                }
                row = rows.next()?;
                continue;
            };
            // The same key below is hidden, whether it was replaced or deleted.
            if row.as_ref().is_some_and(|row| row.key() == key) {
                row = rows.next()?;
            }
            if let Some(value) = value
                && visit(&key, &value).is_break()
            {
                return Ok(());
            }
        }
    }

    /// Number of the newest commit that this state contains.
    pub fn sequence(&self) -> u64 {
        self.0.sequence
    }
}

impl View {
    fn recent(&self, key: &[u8]) -> Option<Option<Bytes>> {
        let active = self.active.get(key, self.sequence);
        active.or_else(|| self.frozen.as_ref()?.get(key, self.sequence))
    }
}

/// The next entry of the two upper layers, if it comes before the tree's or has the same key.
fn take_upper<'a>(
    active: &mut Cursor<'a>,
    frozen: &mut Option<Cursor<'a>>,
    row: Option<&Row>,
    direction: Direction,
) -> Option<(Bytes, Option<Bytes>)> {
    let order = |left: &[u8], right: &[u8]| match direction {
        Direction::Forward => left.cmp(right),
        Direction::Backward => right.cmp(left),
    };
    let below = match (active.peek(), frozen.as_mut().and_then(Cursor::peek)) {
        (None, None) => return None,
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (Some((active, _)), Some((frozen, _))) => order(active, frozen),
    };
    let upper = match (below, &mut *frozen) {
        (Ordering::Greater, Some(frozen)) => frozen,
        (Ordering::Equal, Some(frozen)) => {
            frozen.take();
            active
        }
        _ => active,
    };
    let (key, _) = upper.peek()?;
    match row {
        Some(row) if order(key, row.key()).is_gt() => None,
        _ => upper.take(),
    }
}

fn is_empty(from: Bound<&[u8]>, to: Bound<&[u8]>) -> bool {
    use Bound::{Excluded, Included, Unbounded};
    match (from, to) {
        (Unbounded, _) | (_, Unbounded) => false,
        (Included(from), Included(to)) => from > to,
        (Included(from), Excluded(to)) | (Excluded(from), Included(to) | Excluded(to)) => from >= to,
    }
}
