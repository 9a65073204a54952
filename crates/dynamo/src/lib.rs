//! DynamoDB's own language: values, expressions, operations, errors, and the one trait that everything in
//! Espalier meets at, [`Dynamo`]: *an operation in, a response or an error out*.
//!
//! This crate does no IO and knows no clock. A short tour:
//!
//! - [`number`], [`value`], [`item`]: what is stored. [`item::Item`] is the encoded form that everything passes
//!   around; [`value::Value`] is the tree for taking values apart.
//! - [`path`], [`expression`]: condition, filter, key-condition, projection and update expressions, and the
//!   legacy parameters, which become the same trees.
//! - [`operation`]: a request and a response type for each operation.
//! - [`error`]: one variant per exception; causes carry DynamoDB's exact sentences.

pub mod blocking;
pub mod error;
pub mod expression;
pub mod item;
pub mod number;
pub mod operation;
pub mod path;
mod text_enum;
pub mod value;

pub use error::{Error, Result};
pub use item::{Item, ItemRef, ValueRef};
pub use number::Number;
pub use operation::{Answer, Operation, Request, Response};
pub use path::Path;
pub use value::{Map, Value};

/// Anything that answers DynamoDB's operations: the embedded engine, or Amazon itself.
pub trait Dynamo: Send + Sync {
    /// Executes one operation.
    fn execute(&self, operation: Operation) -> Answer<'_>;
}

/// Calls with their own response types.
pub trait DynamoExt: Dynamo {
    /// Executes a request and returns its own kind of response.
    fn call<R: Request + Send + 'static>(&self, request: R) -> Answer<'_, R::Output>
    where
        R::Output: Send,
    {
        let operation = request.into_operation();
        Box::pin(async move {
            let response = self.execute(operation).await?;
            R::take_output(response).ok_or_else(|| Error::internal("an operation was answered with another's response"))
        })
    }

    /// The same for callers without a runtime: blocks the thread until the answer is there.
    fn run<R: Request + Send + 'static>(&self, request: R) -> Result<R::Output>
    where
        R::Output: Send,
    {
        blocking::wait(self.call(request))
    }
}

impl<D: Dynamo + ?Sized> DynamoExt for D {}
