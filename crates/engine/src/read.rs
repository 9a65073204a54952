//! Reading: a plan says what, [`page`] is the only loop over stored items.

pub mod batch;
pub mod get;
pub mod page;
pub mod plan;
