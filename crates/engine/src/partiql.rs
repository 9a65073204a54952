//! PartiQL: ExecuteStatement, BatchExecuteStatement and ExecuteTransaction.
//!
//! A statement goes through four steps, each of which can only receive what the one before has approved:
//!
//! 1. [`parser`]: text → [`syntax`], with the place of every token for the messages.
//! 2. [`lower`]: the tree and its parameters → the conditions, updates and items of every other operation.
//! 3. `plan`: these and a table → [`crate::read::plan::Plan`]s, points and [`crate::write::Write`]s; `keys`
//!    finds in a WHERE what the key answers.
//! 4. `execute`: the same page loop and the same write road as everybody else.
//!
//! So there is no evaluator, no path walker and no loop over items in here.

pub mod error;
mod execute;
mod keys;
mod keyword;
mod lexer;
pub mod lower;
pub mod parser;
mod plan;
pub mod syntax;
mod token;

pub use error::{Error, Malformed};
pub use lexer::Span;
