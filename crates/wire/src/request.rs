//! From an operation's name and body to the typed operation.

use espalier_dynamo::Operation;

use crate::fault::Fault;

/// The two services that share the endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Service {
    /// `DynamoDB_20120810`.
    DynamoDb,
    /// `DynamoDBStreams_20120810`.
    Streams,
}

/// Parses a body once, straight into a typed operation.
pub fn parse(operation: &str, service: Service, body: &[u8]) -> Result<Operation, Fault> {
    let _ = (operation, service, body);
    Err(Fault::UnknownOperation)
}
