//! What can go wrong, each with the sentence that tells the user what to do next.
//!
//! An error is cheap to clone, because one failed sync is the answer to every commit that waited for it.

use std::io;
use std::sync::Arc;

/// Why the store could not do what it was asked.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Another process, or another handle in this one, has the store open.
    #[error(
        "{path} is already open in another process or by another handle: stop that one first, or use a different folder"
    )]
    Locked {
        /// The folder that is in use.
        path: String,
    },

    /// The disk has no room. The changes were not carried out, nothing is damaged, and reads go on.
    #[error(
        "the disk that holds {path} is full: the changes were not carried out; free some space and try again, no restart is needed"
    )]
    Full {
        /// The folder of the store.
        path: String,
    },

    /// A write or sync failed earlier. What was acknowledged is safe; nothing more is accepted.
    #[error(
        "the store refuses changes since an earlier failure ({cause}); reads go on. Check the disk, then reopen the store: everything acknowledged will be there"
    )]
    Poisoned {
        /// The failure that stopped the store.
        cause: Arc<Error>,
    },

    /// A file holds something that was never written there.
    #[error("{file} is damaged at byte {offset}: {what}. {advice}")]
    Corrupt {
        /// The damaged file, relative to the folder of the store.
        file: String,
        /// Where in the file.
        offset: u64,
        /// What was found.
        what: String,
        /// What the user can do.
        advice: &'static str,
    },

    /// The folder was written by a newer version of this software.
    #[error(
        "{path} was written in format {found}, and this version reads up to format {known}: use a newer version; nothing was changed"
    )]
    NewerFormat {
        /// The folder of the store.
        path: String,
        /// The format found.
        found: u32,
        /// The newest format that this version understands.
        known: u32,
    },

    /// The store was closed.
    #[error("the store is closed: open it again to go on")]
    Closed,

    /// One set of changes is larger than the log accepts.
    #[error("these changes take {bytes} bytes, and at most {most} are accepted at once: split them")]
    TooLarge {
        /// Size of the changes.
        bytes: u64,
        /// The limit.
        most: u64,
    },

    /// The operating system refused an operation on a file.
    #[error("could not {doing} {file}: {source}")]
    Io {
        /// What was attempted, as a verb.
        doing: &'static str,
        /// The file.
        file: String,
        /// The cause.
        source: Arc<io::Error>,
    },

    /// A thread of the store met a broken invariant.
    #[error("the thread {thread} stopped in the middle of its work, which is a bug: please report it")]
    Panicked {
        /// The thread.
        thread: &'static str,
    },

    /// The B-tree reported a failure.
    #[error("the tree file failed: {0}. Check the disk, then reopen the store")]
    Tree(Arc<redb::Error>),
}

/// Advice for damage that only another copy of the data can mend.
pub(crate) const RESTORE: &str = "Check the disk and restore the folder from a backup; it was left as it is";

impl Error {
    /// True when the same call may succeed later without any change by the caller: the disk was full.
    pub fn is_retryable(&self) -> bool {
        matches!(self, Error::Full { .. })
    }

    /// True when the cause is a disk without room, even if the store stopped because of it.
    pub fn is_full(&self) -> bool {
        match self {
            Error::Full { .. } => true,
            Error::Poisoned { cause } => cause.is_full(),
            Error::Io { source, .. } => is_full(source),
            Error::Tree(cause) => matches!(&**cause, redb::Error::Io(cause) if is_full(cause)),
            _ => false,
        }
    }

    pub(crate) fn io(doing: &'static str, file: &str, source: io::Error) -> Error {
        Error::Io { doing, file: file.to_owned(), source: Arc::new(source) }
    }

    pub(crate) fn poisoned(self) -> Error {
        match self {
            Error::Poisoned { .. } | Error::Closed => self,
            cause => Error::Poisoned { cause: Arc::new(cause) },
        }
    }
}

/// True when the operating system says that there is no room, or no more for this user.
pub(crate) fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}

macro_rules! from_redb {
    ($($cause:ty),*) => {$(
        impl From<$cause> for Error {
            fn from(cause: $cause) -> Error {
                match redb::Error::from(cause) {
                    redb::Error::DatabaseClosed => Error::Closed,
                    redb::Error::Corrupted(what) => Error::Corrupt {
                        file: crate::tree::FILE.to_owned(), offset: 0, what, advice: RESTORE,
                    },
                    cause => Error::Tree(Arc::new(cause)),
                }
            }
        }
    )*};
}
from_redb!(redb::StorageError, redb::DatabaseError, redb::TransactionError, redb::TableError, redb::CommitError);
