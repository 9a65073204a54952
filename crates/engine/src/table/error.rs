//! What operations answer about a table that is missing, in use, or must not go.

use espalier_dynamo::error::{Error, Invalid};

/// Why an operation on a table cannot be done.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TableError {
    /// An operation on items names a table that does not exist.
    #[error("Requested resource not found")]
    NotFound,
    /// An operation on tables names a table that does not exist.
    #[error("Requested resource not found: Table: {0} not found")]
    TableNotFound(String),
    /// An operation on backups names a table that does not exist.
    #[error("Table not found: {0}")]
    BackupTableNotFound(String),
    /// An operation on tags names a table that does not exist; the spelling is Amazon's.
    #[error("Requested resource not found: ResourcArn: {0} not found")]
    ResourceNotFound(String),
    /// UpdateTable names an index that does not exist.
    #[error("Requested resource not found: Index {index} for table {table}")]
    IndexNotFound {
        /// The index.
        index: String,
        /// The table.
        table: String,
    },
    /// An operation on streams names a stream that does not exist.
    #[error("Requested resource not found: Stream: {0} not found")]
    StreamNotFound(String),
    /// CreateTable meets a table of that name.
    #[error("Table already exists: {0}")]
    AlreadyExists(String),
    /// The table is not ready yet.
    #[error("Attempt to change a resource which is still in use: Table is being created: {0}")]
    BeingCreated(String),
    /// The table is going away.
    #[error("Attempt to change a resource which is still in use: Table is being deleted: {0}")]
    BeingDeleted(String),
    /// An index is going away.
    #[error(
        "Attempt to change a resource which is still in use: Index is being deleted. Table: {table} Index: {index}"
    )]
    IndexBeingDeleted {
        /// The table.
        table: String,
        /// The index.
        index: String,
    },
    /// DeleteTable meets an index that is being filled or removed.
    #[error(
        "Attempt to change a resource which is still in use: Cannot delete table while indexes are being created, updated, or deleted"
    )]
    IndexesChanging,
    /// DeleteTable meets deletion protection.
    #[error(
        "Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first."
    )]
    Protected,
    /// CreateTable meets the limit of tables.
    #[error("Subscriber limit exceeded: There is a limit of {0} tables per subscriber")]
    TooManyTables(usize),
    /// Another index is being filled or removed, or the request asks for two such changes.
    #[error("Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table")]
    OneIndexAtATime,
    /// UpdateTable meets the limit of indexes.
    #[error("Subscriber limit exceeded: Number of global secondary indexes exceeds per-table limit of {0}")]
    TooManyIndexes(usize),
    /// The resource belongs to another account.
    #[error("Access is denied")]
    AccessDenied,
}

impl From<TableError> for Error {
    fn from(cause: TableError) -> Self {
        use TableError as T;
        let exception = match &cause {
            T::NotFound
            | T::TableNotFound(_)
            | T::ResourceNotFound(_)
            | T::IndexNotFound { .. }
            | T::StreamNotFound(_) => Error::ResourceNotFound,
            T::BackupTableNotFound(_) => Error::TableNotFound,
            T::AlreadyExists(_)
            | T::BeingCreated(_)
            | T::BeingDeleted(_)
            | T::IndexBeingDeleted { .. }
            | T::IndexesChanging => Error::ResourceInUse,
            T::TooManyTables(_) | T::OneIndexAtATime | T::TooManyIndexes(_) => Error::LimitExceeded,
            T::AccessDenied => Error::AccessDenied,
            T::Protected => Error::Validation,
        };
        exception(Invalid::new(cause))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_cause_belongs_to_its_exception() {
        let not_found: Error = TableError::TableNotFound("T".to_owned()).into();
        assert!(matches!(not_found, Error::ResourceNotFound(_)));
        assert_eq!(not_found.to_string(), "Requested resource not found: Table: T not found");
        let exists: Error = TableError::AlreadyExists("T".to_owned()).into();
        assert!(matches!(exists, Error::ResourceInUse(_)));
        assert_eq!(exists.to_string(), "Table already exists: T");
        assert!(matches!(Error::from(TableError::Protected), Error::Validation(_)));
        assert!(matches!(Error::from(TableError::OneIndexAtATime), Error::LimitExceeded(_)));
        assert!(matches!(Error::from(TableError::AccessDenied), Error::AccessDenied(_)));
    }
}
