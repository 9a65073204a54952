//! DynamoDB's JSON protocol, in both directions: a body becomes a typed operation, a response or a fault becomes
//! a body. No sockets here, and no rules about expressions, schemas or tables.

pub mod fault;
mod request;
mod response;

pub use fault::Fault;
pub use request::{Service, parse};
pub use response::write_response;
