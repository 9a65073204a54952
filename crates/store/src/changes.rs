//! Changes: the puts and deletes that become durable together or not at all.

use bytes::Bytes;

/// A set of puts and deletes that [`Store::commit`](crate::Store::commit) makes durable as one.
///
/// Order matters: the last change of a key wins. Keys and values are kept as given, without copying, until the
/// tree has them, so a slice of a large buffer keeps that whole buffer in memory for a while.
#[derive(Debug, Clone, Default)]
pub struct Changes {
    pub(crate) entries: Vec<(Bytes, Option<Bytes>)>,
    bytes: usize,
}

impl Changes {
    /// No changes yet.
    pub fn new() -> Changes {
        Changes::default()
    }

    /// Sets `key` to `value`.
    pub fn put(&mut self, key: impl Into<Bytes>, value: impl Into<Bytes>) {
        let (key, value) = (key.into(), value.into());
        self.bytes += key.len() + value.len();
        self.entries.push((key, Some(value)));
    }

    /// Removes `key`, whether it exists or not.
    pub fn delete(&mut self, key: impl Into<Bytes>) {
        let key = key.into();
        self.bytes += key.len();
        self.entries.push((key, None));
    }

    /// True when nothing would change.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Number of puts and deletes.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Bytes of all keys and values.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}
