//! One function per operation: parses and binds everything in a request once, and applies the rules about
//! expressions and legacy parameters that need nothing but the request, in DynamoDB's order.

use super::{Condition, KeyCondition, Projection, Update};
use crate::error::Result;
use crate::operation::batch::KeysAndAttributes;
use crate::operation::item::{DeleteItem, GetItem, PutItem, UpdateItem};
use crate::operation::page::{Query, Scan};
use crate::operation::transaction::{TransactGet, TransactWrite};

/// What a Query asks for.
#[derive(Debug, Clone)]
pub struct BoundQuery {
    /// Which partition, and which part of it.
    pub key: KeyCondition,
    /// Which of the items read to return.
    pub filter: Option<Condition>,
    /// What to return of each item.
    pub projection: Option<Projection>,
}

/// What a Scan asks for.
#[derive(Debug, Clone)]
pub struct BoundScan {
    /// Which of the items read to return.
    pub filter: Option<Condition>,
    /// What to return of each item.
    pub projection: Option<Projection>,
}

/// PutItem's condition.
pub fn put(_request: &PutItem) -> Result<Option<Condition>> {
    unimplemented!()
}

/// DeleteItem's condition.
pub fn delete(_request: &DeleteItem) -> Result<Option<Condition>> {
    unimplemented!()
}

/// UpdateItem's change and condition.
pub fn update(_request: &UpdateItem) -> Result<(Option<Update>, Option<Condition>)> {
    unimplemented!()
}

/// GetItem's projection.
pub fn get(_request: &GetItem) -> Result<Option<Projection>> {
    unimplemented!()
}

/// The projection of one table of a BatchGetItem.
pub fn keys_and_attributes(_request: &KeysAndAttributes) -> Result<Option<Projection>> {
    unimplemented!()
}

/// Query's key condition, filter and projection.
pub fn query(_request: &Query) -> Result<BoundQuery> {
    unimplemented!()
}

/// Scan's filter and projection.
pub fn scan(_request: &Scan) -> Result<BoundScan> {
    unimplemented!()
}

/// The projection of one read of a transaction.
pub fn transact_get(_request: &TransactGet) -> Result<Option<Projection>> {
    unimplemented!()
}

/// The change and condition of one write of a transaction.
pub fn transact_write(_request: &TransactWrite) -> Result<(Option<Update>, Option<Condition>)> {
    unimplemented!()
}
