//! DynamoDB's JSON protocol, in both directions: a body becomes a typed operation, a response or a fault becomes
//! a body. No sockets here, and no rules about expressions, schemas or tables.
//!
//! A request: `json` reads tokens, `fields` gives each member its type and its constraints, `attribute` puts items
//! straight into their encoded form, `operation` declares each request once, [`parse`] is the table of them all.
//! A response: [`write_response`] writes it directly from the encoded items. Whatever went wrong is a [`Fault`],
//! which alone knows statuses and `__type`s.

mod attribute;
mod constraint;
pub mod fault;
mod fields;
mod json;
mod operation;
mod request;
mod response;

pub use attribute::AttributeFault;
pub use constraint::{Constraint, Violation, Violations};
pub use fault::Fault;
pub use fields::{Mismatch, Refusal};
pub use json::is_well_formed;
pub use operation::batch::BatchFault;
pub use operation::table::IndexUpdateFault;
pub use operation::tag::NoArn;
pub use operation::transaction::TransactFault;
pub use request::{Service, parse};
pub use response::write_response;
