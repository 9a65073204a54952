//! From an operation's name and body to the typed operation: one line per operation.

use espalier_dynamo as dynamo;
use espalier_dynamo::Operation;
use espalier_dynamo::expression::request::{self as expression, ParameterError};
use espalier_dynamo::expression::{LegacyError, StandInError};

use crate::attribute::{Faults, Place};
use crate::constraint::{Path, Violations};
use crate::fault::Fault;
use crate::fields::{Source, Stop, Structure, read_structure};
use crate::json::{Kind, Reader, is_well_formed};
use crate::operation::{batch, item, page, partiql, stream, table, tag, transaction};

/// The names of all operations of both services, from botocore's service model (`model/extract.py`).
const KNOWN: &str = include_str!("../model/operations.txt");

/// The two services that share the endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Service {
    /// `DynamoDB_20120810`.
    DynamoDb,
    /// `DynamoDBStreams_20120810`.
    Streams,
}

/// A request whose members are known to be well-typed and within their constraints.
pub(crate) trait Build: Structure {
    /// The rules of the request that stand outside the envelope of constraints and come before it.
    fn prepare(&self) -> Result<(), Fault> {
        Ok(())
    }

    /// Rewords or adds violations that concern the request as a whole.
    fn review(&self, _found: &mut Violations) {}

    /// The typed operation.
    fn build(self) -> Result<Operation, Fault>;
}

/// Parses a body once, straight into a typed operation. `operation` is what follows the dot in `X-Amz-Target`.
///
/// Complaints come in DynamoDB's order: JSON and its types, constraints of members, attribute values.
pub fn parse(operation: &str, service: Service, body: &[u8]) -> Result<Operation, Fault> {
    let read: fn(&[u8]) -> Result<Operation, Fault> = match (service, operation) {
        (Service::DynamoDb, "PutItem") => request::<item::PutItem>,
        (Service::DynamoDb, "GetItem") => request::<item::GetItem>,
        (Service::DynamoDb, "UpdateItem") => request::<item::UpdateItem>,
        (Service::DynamoDb, "DeleteItem") => request::<item::DeleteItem>,
        (Service::DynamoDb, "Query") => request::<page::Query>,
        (Service::DynamoDb, "Scan") => request::<page::Scan>,
        (Service::DynamoDb, "BatchGetItem") => request::<batch::BatchGetItem>,
        (Service::DynamoDb, "BatchWriteItem") => request::<batch::BatchWriteItem>,
        (Service::DynamoDb, "TransactGetItems") => request::<transaction::TransactGetItems>,
        (Service::DynamoDb, "TransactWriteItems") => request::<transaction::TransactWriteItems>,
        (Service::DynamoDb, "ExecuteStatement") => request::<partiql::ExecuteStatement>,
        (Service::DynamoDb, "BatchExecuteStatement") => request::<partiql::BatchExecuteStatement>,
        (Service::DynamoDb, "ExecuteTransaction") => request::<partiql::ExecuteTransaction>,
        (Service::DynamoDb, "CreateTable") => request::<table::CreateTable>,
        (Service::DynamoDb, "DescribeTable") => request::<table::DescribeTable>,
        (Service::DynamoDb, "ListTables") => request::<table::ListTables>,
        (Service::DynamoDb, "UpdateTable") => request::<table::UpdateTable>,
        (Service::DynamoDb, "DeleteTable") => request::<table::DeleteTable>,
        (Service::DynamoDb, "DescribeLimits") => request::<table::DescribeLimits>,
        (Service::DynamoDb, "DescribeEndpoints") => request::<table::DescribeEndpoints>,
        (Service::DynamoDb, "UpdateTimeToLive") => request::<table::UpdateTimeToLive>,
        (Service::DynamoDb, "DescribeTimeToLive") => request::<table::DescribeTimeToLive>,
        (Service::DynamoDb, "DescribeContinuousBackups") => request::<table::DescribeContinuousBackups>,
        (Service::DynamoDb, "TagResource") => request::<tag::TagResource>,
        (Service::DynamoDb, "UntagResource") => request::<tag::UntagResource>,
        (Service::DynamoDb, "ListTagsOfResource") => request::<tag::ListTagsOfResource>,
        (Service::Streams, "ListStreams") => request::<stream::ListStreams>,
        (Service::Streams, "DescribeStream") => request::<stream::DescribeStream>,
        (Service::Streams, "GetShardIterator") => request::<stream::GetShardIterator>,
        (Service::Streams, "GetRecords") => request::<stream::GetRecords>,
        (Service::DynamoDb, known) if KNOWN.lines().any(|name| name == known) => {
            return Err(Fault::NotOffered { operation: known.to_owned() });
        }
        _ => return Err(Fault::UnknownOperation),
    };
    read(body)
}

fn request<B: Build>(body: &[u8]) -> Result<Operation, Fault> {
    let (members, faults) = read::<B>(body).map_err(|stop| serialization(stop, body))?;
    if let Some(refusal) = members.refusal() {
        return Err(invalid(refusal));
    }
    members.prepare()?;
    let mut found = Violations::default();
    members.check(&Path::Root, &mut found);
    members.review(&mut found);
    if !found.is_empty() {
        return Err(invalid(found));
    }
    let operation = members.build()?;
    match faults.into_first() {
        Some((place, fault)) => Err(told_before(place, &operation).unwrap_or_else(|| invalid(fault))),
        None => Ok(operation),
    }
}

/// DynamoDB looks at which parameters go together before it looks at the values in them, and at some values before
/// others: what it tells before a fault at this place.
fn told_before(place: Place, operation: &Operation) -> Option<Fault> {
    let checked = match operation {
        Operation::PutItem(request) => expression::put(request).map(drop),
        Operation::GetItem(request) => expression::get(request).map(drop),
        Operation::UpdateItem(request) => expression::update(request).map(drop),
        Operation::DeleteItem(request) => expression::delete(request).map(drop),
        Operation::Query(request) if place < Place::Expression => expression::query_parameters(request).map(drop),
        Operation::Query(request) => expression::query(request).map(drop),
        Operation::Scan(request) if place < Place::Expression => expression::scan_parameters(request).map(drop),
        Operation::Scan(request) => expression::scan(request).map(drop),
        Operation::BatchGetItem(request) => {
            request.requests.iter().try_for_each(|(_, table)| expression::keys_and_attributes(table).map(drop))
        }
        _ => Ok(()),
    };
    let Err(dynamo::Error::Validation(cause)) = &checked else { return None };
    let batch = matches!(operation, Operation::BatchGetItem(_));
    let before = match cause.cause::<ParameterError>() {
        Some(ParameterError::Mixed { .. } | ParameterError::NamesAlone | ParameterError::ValuesAlone(_)) => true,
        Some(ParameterError::DuplicateAttribute(_)) => {
            batch || place >= Place::StartKey || matches!(operation, Operation::Scan(_))
        }
        Some(_) => place == Place::Expression,
        None if cause.cause::<LegacyError>().is_some() => place >= Place::StartKey,
        None => match cause.cause::<StandInError>() {
            Some(StandInError::Unused(..)) | None => false,
            Some(_) => place == Place::Expression || batch,
        },
    };
    checked.err().filter(|_| before).map(Fault::Dynamo)
}

fn read<B: Build>(body: &[u8]) -> Result<(B, Faults), Stop> {
    let mut source = Source { reader: Reader::new(body)?, faults: Faults::default() };
    if source.reader.peek()? != Kind::Object {
        return Err(Stop::Malformed);
    }
    let members = read_structure(&mut source)?;
    source.reader.finish()?;
    Ok((members, source.faults))
}

/// A body that is not JSON at all is told before any wrong type in it.
fn serialization(stop: Stop, body: &[u8]) -> Fault {
    match stop {
        Stop::Mismatch(mismatch) if is_well_formed(body) => Fault::Serialization { message: Some(mismatch) },
        _ => Fault::Serialization { message: None },
    }
}

/// A rule that is broken.
pub(crate) fn invalid(cause: impl std::error::Error + Send + Sync + 'static) -> Fault {
    Fault::Dynamo(dynamo::Error::invalid(cause))
}
