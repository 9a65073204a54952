//! Expressions: conditions, filters, key conditions, projections and updates, and the legacy parameters, which
//! become the same trees.
//!
//! [`request`] has one function per operation: text in, bound trees out, with every rule that needs nothing but
//! the request applied in DynamoDB's order. Afterwards no text is left, and evaluating a tree cannot fail, except
//! that an [`Update`] may not suit the item it meets.

mod condition;
mod key_condition;
mod projection;
pub mod request;
mod update;

pub use condition::{Comparator, Condition, Operand};
pub use key_condition::{KeyAttribute, KeyCondition, KeyRange, KeySchema, KeyTest, SortRange};
pub use projection::Projection;
pub use update::{Action, Term, Update};
