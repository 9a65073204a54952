//! Expressions: conditions, filters, key conditions, projections and updates, and the legacy parameters, which
//! become the same trees.
//!
//! [`request`] has one function per operation: text in, bound trees out, with every rule that needs nothing but
//! the request applied in DynamoDB's order. Afterwards no text is left, and evaluating a tree cannot fail, except
//! that an [`Update`] may not suit the item it meets.

mod bind;
mod condition;
mod error;
mod key_condition;
mod legacy;
mod lexer;
mod overlap;
mod parser;
mod projection;
pub mod request;
mod reserved;
mod syntax;
mod update;

#[cfg(test)]
mod tests;

pub use bind::StandInError;
pub use condition::{Comparator, Condition, Operand};
pub use error::{Cause, Clause, Refused};
pub use key_condition::{KeyAttribute, KeyCondition, KeyConditionError, KeyRange, KeySchema, KeyTest, SortRange};
pub use legacy::LegacyError;
pub use projection::Projection;
pub use request::ParameterError;
pub use update::{Action, ApplyError, Term, Update};
