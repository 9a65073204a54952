//! The requests, declared: each a list of members in DynamoDB's order, and how it becomes the typed operation.

pub(crate) mod batch;
pub(crate) mod item;
pub(crate) mod legacy;
pub(crate) mod page;
pub(crate) mod partiql;
pub(crate) mod stream;
pub(crate) mod table;
pub(crate) mod table_parts;
pub(crate) mod tag;
pub(crate) mod transaction;
