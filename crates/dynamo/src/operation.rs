//! The operations: a request and a response type for each, in DynamoDB's words, and one table of them all.
//!
//! An operation can be executed by anything that is [`crate::Dynamo`]. Call [`crate::DynamoExt::call`] with a
//! request to get its own response type back.

pub mod batch;
pub mod capacity;
pub mod item;
pub mod option;
pub mod page;
pub mod partiql;
pub mod stream;
pub mod table;
pub mod transaction;

use crate::error::Result;

/// A request with a response of its own.
pub trait Request: Sized {
    /// What a successful request is answered with.
    type Output;
    /// The request as one of all operations.
    fn into_operation(self) -> Operation;
    /// Takes the answer out of one of all responses.
    fn take_output(response: Response) -> Option<Self::Output>;
}

macro_rules! operations {
    ($($name:ident: $request:ty => $response:ty,)+) => {
        /// Any operation.
        #[derive(Debug, Clone)]
        #[allow(missing_docs, reason = "the variants are DynamoDB's operations")]
        pub enum Operation { $($name($request),)+ }

        /// The answer to any operation.
        #[derive(Debug, Clone)]
        #[allow(missing_docs, reason = "the variants are DynamoDB's operations")]
        pub enum Response { $($name($response),)+ }

        impl Operation {
            /// The names of all operations that are offered.
            pub const NAMES: &'static [&'static str] = &[$(stringify!($name),)+];

            /// DynamoDB's name for the operation.
            #[must_use]
            pub fn name(&self) -> &'static str {
                match self { $(Operation::$name(_) => stringify!($name),)+ }
            }
        }

        $(
            impl Request for $request {
                type Output = $response;
                fn into_operation(self) -> Operation { Operation::$name(self) }
                fn take_output(response: Response) -> Option<Self::Output> {
                    match response { Response::$name(output) => Some(output), _ => None }
                }
            }
        )+
    };
}

operations! {
    PutItem: item::PutItem => item::WriteOutput,
    GetItem: item::GetItem => item::GetItemOutput,
    UpdateItem: item::UpdateItem => item::WriteOutput,
    DeleteItem: item::DeleteItem => item::WriteOutput,
    Query: page::Query => page::PageOutput,
    Scan: page::Scan => page::PageOutput,
    BatchGetItem: batch::BatchGetItem => batch::BatchGetItemOutput,
    BatchWriteItem: batch::BatchWriteItem => batch::BatchWriteItemOutput,
    TransactGetItems: transaction::TransactGetItems => transaction::TransactGetItemsOutput,
    TransactWriteItems: transaction::TransactWriteItems => transaction::TransactWriteItemsOutput,
    ExecuteStatement: partiql::ExecuteStatement => partiql::ExecuteStatementOutput,
    BatchExecuteStatement: partiql::BatchExecuteStatement => partiql::BatchExecuteStatementOutput,
    ExecuteTransaction: partiql::ExecuteTransaction => partiql::ExecuteTransactionOutput,
    CreateTable: table::CreateTable => table::TableDescription,
    DescribeTable: table::DescribeTable => table::TableDescription,
    ListTables: table::ListTables => table::ListTablesOutput,
    UpdateTable: table::UpdateTable => table::TableDescription,
    DeleteTable: table::DeleteTable => table::TableDescription,
    DescribeLimits: table::DescribeLimits => table::LimitsOutput,
    DescribeEndpoints: table::DescribeEndpoints => table::EndpointsOutput,
    TagResource: table::TagResource => (),
    UntagResource: table::UntagResource => (),
    ListTagsOfResource: table::ListTagsOfResource => table::ListTagsOutput,
    UpdateTimeToLive: table::UpdateTimeToLive => table::TimeToLiveSpecification,
    DescribeTimeToLive: table::DescribeTimeToLive => table::TimeToLiveDescription,
    DescribeContinuousBackups: table::DescribeContinuousBackups => table::ContinuousBackupsDescription,
    ListStreams: stream::ListStreams => stream::ListStreamsOutput,
    DescribeStream: stream::DescribeStream => stream::StreamDescription,
    GetShardIterator: stream::GetShardIterator => stream::GetShardIteratorOutput,
    GetRecords: stream::GetRecords => stream::GetRecordsOutput,
}

/// The future of a response.
pub type Answer<'a, T = Response> = std::pin::Pin<Box<dyn Future<Output = Result<T>> + Send + 'a>>;
