//! Tests only: a naive DynamoDB to compare with, random requests, and golden scripts.

pub mod reference;
