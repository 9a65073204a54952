//! What can go wrong, one variant per exception of DynamoDB.
//!
//! The sentence of an error stands next to the rule that raises it: each module has its own enum of causes,
//! and [`Invalid`] carries any of them up to the client unchanged.

use std::fmt;
use std::sync::Arc;

use crate::item::Item;

/// The cause of a `ValidationException`. Any typed cause can be carried and asked for again.
#[derive(Clone)]
pub struct Invalid(Arc<dyn std::error::Error + Send + Sync>);

impl Invalid {
    /// Carries a typed cause.
    pub fn new(cause: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self(Arc::new(cause))
    }

    /// The cause, if it is of that type.
    #[must_use]
    pub fn cause<C: std::error::Error + 'static>(&self) -> Option<&C> {
        self.0.downcast_ref()
    }
}

impl fmt::Debug for Invalid {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, out)
    }
}

impl fmt::Display for Invalid {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, out)
    }
}

/// Why one action of a transaction did not go through.
#[derive(Debug, Clone)]
pub enum CancellationReason {
    /// This action was fine.
    None,
    /// Its condition failed; the item comes along when the action asked for it.
    ConditionalCheckFailed(Option<Item>),
    /// The action could not be carried out on the item as it is.
    ValidationError(Invalid),
    /// Another transaction holds the item.
    TransactionConflict,
    /// The partition would outgrow what a local index allows.
    ItemCollectionSizeLimitExceeded,
    /// PartiQL's INSERT met an item that exists.
    DuplicateItem,
    /// A PartiQL statement names a table that does not exist.
    ResourceNotFound(Invalid),
}

impl CancellationReason {
    /// DynamoDB's code for the reason.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            CancellationReason::None => "None",
            CancellationReason::ConditionalCheckFailed(_) => "ConditionalCheckFailed",
            CancellationReason::ValidationError(_) => "ValidationError",
            CancellationReason::TransactionConflict => "TransactionConflict",
            CancellationReason::ItemCollectionSizeLimitExceeded => "ItemCollectionSizeLimitExceeded",
            CancellationReason::DuplicateItem => "DuplicateItem",
            CancellationReason::ResourceNotFound(_) => "ResourceNotFound",
        }
    }

    /// DynamoDB's sentence for the reason.
    #[must_use]
    pub fn message(&self) -> Option<String> {
        match self {
            CancellationReason::None => None,
            CancellationReason::ConditionalCheckFailed(_) => Some("The conditional request failed".to_owned()),
            CancellationReason::ValidationError(cause) | CancellationReason::ResourceNotFound(cause) => {
                Some(cause.to_string())
            }
            CancellationReason::TransactionConflict => Some("Transaction is ongoing for the item".to_owned()),
            CancellationReason::ItemCollectionSizeLimitExceeded => Some("Collection size exceeded.".to_owned()),
            CancellationReason::DuplicateItem => Some("Duplicate primary key exists in table".to_owned()),
        }
    }
}

/// Everything that DynamoDB may answer instead of a response.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The request breaks a rule.
    #[error("{0}")]
    Validation(Invalid),
    /// A condition was not met; the item comes along when the request asked for it.
    #[error("The conditional request failed")]
    ConditionalCheckFailed {
        /// The item as it was found.
        item: Option<Item>,
    },
    /// A transaction did not go through; one reason per action.
    #[error("Transaction cancelled, please refer cancellation reasons for specific reasons [{}]", codes(.0))]
    TransactionCanceled(Vec<CancellationReason>),
    /// Another transaction holds the item.
    #[error("Transaction is ongoing for the item")]
    TransactionConflict,
    /// The client request token was used with other parameters.
    #[error("{0}")]
    IdempotentParameterMismatch(Invalid),
    /// No such table, index, stream or resource.
    #[error("{0}")]
    ResourceNotFound(Invalid),
    /// An operation on backups names a table that does not exist.
    #[error("{0}")]
    TableNotFound(Invalid),
    /// The table exists already, or is being changed.
    #[error("{0}")]
    ResourceInUse(Invalid),
    /// Too many of something at once.
    #[error("{0}")]
    LimitExceeded(Invalid),
    /// The resource belongs to somebody else.
    #[error("{0}")]
    AccessDenied(Invalid),
    /// A partition with a local index would grow beyond 10 GB.
    #[error("Item collection size limit exceeded")]
    ItemCollectionSizeLimitExceeded,
    /// PartiQL's INSERT met an item that exists.
    #[error("Duplicate primary key exists in table")]
    DuplicateItem,
    /// A shard iterator is older than fifteen minutes.
    #[error(
        "Iterator expired. The iterator was created at time {created} while right now it is {now} which is further in the future than the tolerated delay of 900000 milliseconds."
    )]
    ExpiredIterator {
        /// When it was handed out.
        created: String,
        /// When it was used.
        now: String,
    },
    /// The requested position is older than the oldest kept stream record.
    #[error("{0}")]
    TrimmedDataAccess(Invalid),
    /// The operation is known to DynamoDB, but not offered here.
    #[error("{0}")]
    NotOffered(Invalid),
    /// Our fault: the short sentence goes to the client, the long one to the log.
    #[error("Internal server error")]
    Internal {
        /// What happened, for the log.
        detail: String,
    },
}

/// The result of an operation.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// A `ValidationException` with its cause.
    pub fn invalid(cause: impl std::error::Error + Send + Sync + 'static) -> Self {
        Error::Validation(Invalid::new(cause))
    }

    /// A fault of ours.
    pub fn internal(detail: impl fmt::Display) -> Self {
        Error::Internal { detail: detail.to_string() }
    }

    /// Whether trying the same request again may succeed.
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        matches!(self, Error::TransactionConflict | Error::Internal { .. } | Error::LimitExceeded(_))
    }

    /// Whether the server, not the caller, is at fault.
    #[must_use]
    pub fn is_server_fault(&self) -> bool {
        matches!(self, Error::Internal { .. })
    }
}

fn codes(reasons: &[CancellationReason]) -> String {
    reasons.iter().map(CancellationReason::code).collect::<Vec<_>>().join(", ")
}
