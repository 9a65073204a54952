//! DynamoDB's limits, each number named once.

/// The largest item, names and values together.
pub const ITEM_BYTES: usize = 400 * 1024;
/// The longest attribute name.
pub const NAME_BYTES: usize = 65_535;
/// What UpdateItem counts for itself beside what it writes.
pub const UPDATE_BYTES: usize = 3;
/// What UpdateItem counts for each SET and ADD.
pub const UPDATE_WRITE_BYTES: usize = 19;
/// What UpdateItem counts for each REMOVE and DELETE.
pub const UPDATE_REMOVE_BYTES: usize = 2;
/// The largest partition key.
pub const PARTITION_KEY_BYTES: usize = 2048;
/// The largest sort key.
pub const SORT_KEY_BYTES: usize = 1024;
/// How many bytes one page of Query or Scan reads.
pub const PAGE_BYTES: usize = 1024 * 1024;
/// How many bytes BatchGetItem returns.
pub const BATCH_GET_BYTES: usize = 16 * 1024 * 1024;
/// The largest transaction.
pub const TRANSACTION_BYTES: usize = 4 * 1024 * 1024;
/// How deep maps and lists may nest.
pub const NESTING_LEVELS: usize = 32;
/// Bytes of a read capacity unit.
pub const READ_UNIT_BYTES: usize = 4096;
/// Bytes of a write capacity unit.
pub const WRITE_UNIT_BYTES: usize = 1024;
/// How long a client request token is remembered.
pub const TOKEN_MS: i64 = 10 * 60 * 1000;
/// How long stream records are kept.
pub const STREAM_RETENTION_MS: i64 = 24 * 60 * 60 * 1000;
/// How long a shard iterator is good for.
pub const ITERATOR_MS: i64 = 15 * 60 * 1000;
/// Items whose time to live passed longer ago than this are left alone.
pub const EXPIRY_WINDOW_SECONDS: i64 = 5 * 365 * 24 * 60 * 60;
