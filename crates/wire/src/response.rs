//! From a typed response to its JSON body: the names and shapes are Amazon's, member by member.

mod item;
mod stream;
mod table;
pub(crate) mod writer;

use espalier_dynamo::Response;

/// Writes a response's JSON body.
pub fn write_response(response: &Response, out: &mut Vec<u8>) {
    match response {
        Response::PutItem(output) | Response::UpdateItem(output) | Response::DeleteItem(output) => {
            item::write(output, out);
        }
        Response::GetItem(output) => item::get(output, out),
        Response::Query(output) | Response::Scan(output) => item::page(output, out),
        Response::BatchGetItem(output) => item::batch_get(output, out),
        Response::BatchWriteItem(output) => item::batch_write(output, out),
        Response::TransactGetItems(output) => item::transact_get(output, out),
        Response::TransactWriteItems(output) => item::transact_write(output, out),
        Response::ExecuteStatement(output) => item::statement(output, out),
        Response::BatchExecuteStatement(output) => item::batch_statement(output, out),
        Response::ExecuteTransaction(output) => item::transact_statement(output, out),
        Response::CreateTable(output) | Response::UpdateTable(output) | Response::DeleteTable(output) => {
            table::description("TableDescription", output, out);
        }
        Response::DescribeTable(output) => table::description("Table", output, out),
        Response::ListTables(output) => table::list(output, out),
        Response::DescribeLimits(output) => table::limits(output, out),
        Response::DescribeEndpoints(output) => table::endpoints(output, out),
        // Amazon answers these two with no body at all.
        Response::TagResource(()) | Response::UntagResource(()) => {}
        Response::ListTagsOfResource(output) => table::tags(output, out),
        Response::UpdateTimeToLive(output) => table::time_to_live_update(output, out),
        Response::DescribeTimeToLive(output) => table::time_to_live(output, out),
        Response::DescribeContinuousBackups(output) => table::continuous_backups(output, out),
        Response::ListStreams(output) => stream::list(output, out),
        Response::DescribeStream(output) => stream::description(output, out),
        Response::GetShardIterator(output) => stream::iterator(output, out),
        Response::GetRecords(output) => stream::records(output, out),
    }
}
