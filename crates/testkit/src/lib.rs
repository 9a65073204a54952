//! Tests only: a naive DynamoDB to compare with, random requests, and golden scripts.
//!
//! - [`mod@reference`] is the naive DynamoDB, [`generate`] makes random runs, [`compare`] runs both and compares.
//! - [`script`] runs golden scripts.
//! - [`database`] is the one under test, in memory, on disk or over HTTP.

pub mod compare;
pub mod database;
pub mod generate;
pub mod reference;
pub mod script;
