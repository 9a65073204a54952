//! The tour: each step is one idea of single-table design, executed for real and shown.

use espalier_dynamo::item::Item;
use espalier_dynamo::operation::batch::{BatchWrite, BatchWriteItem};
use espalier_dynamo::operation::item::{PutItem, UpdateItem};
use espalier_dynamo::operation::option::ReturnValues;
use espalier_dynamo::operation::page::Query;
use espalier_dynamo::operation::stream::{
    DescribeStream, GetRecords, GetShardIterator, ListStreams, ShardIteratorType,
};
use espalier_dynamo::operation::table::{DescribeTable, TimeToLiveSpecification, UpdateTimeToLive};
use espalier_dynamo::operation::transaction::{TransactAction, TransactWrite, TransactWriteItems};
use espalier_dynamo::{DynamoExt, Error, Result, Value};
use espalier_engine::Engine;
use espalier_engine::clock::{Clock, SystemClock};

use super::sample::{self, BY_STATUS, TABLE};
use super::show;
use crate::output::line;

/// Walks through the shop, which is made first if it is not there.
pub(crate) async fn walk(engine: &Engine) -> Result<()> {
    if engine.call(DescribeTable { table_name: TABLE.to_owned() }).await.is_ok() {
        line(format!("The table {TABLE} is there already, so the tour is left out."));
        return Ok(());
    }
    open_shop(engine).await?;
    conditional_put(engine).await?;
    queries(engine).await?;
    counter(engine).await?;
    transactions(engine).await?;
    stream(engine).await
}

async fn open_shop(engine: &Engine) -> Result<()> {
    title("A shop in one table: customers, their orders and carts, products; an index, expiry, a stream");
    engine.call(sample::table()).await?;
    let specification = TimeToLiveSpecification { enabled: true, attribute: sample::EXPIRES.to_owned() };
    engine.call(UpdateTimeToLive { table_name: TABLE.to_owned(), specification }).await?;
    let puts: Vec<_> = sample::stock().into_iter().map(BatchWrite::Put).collect();
    line(format!("  CreateTable {TABLE}, UpdateTimeToLive on {}, BatchWriteItem of {}", sample::EXPIRES, puts.len()));
    let requests = vec![(TABLE.to_owned(), puts)];
    engine.call(BatchWriteItem { requests, return_capacity: None, return_metrics: None }).await?;
    Ok(())
}

async fn conditional_put(engine: &Engine) -> Result<()> {
    title("A condition: nobody can take a customer's id twice");
    let newcomer = sample::customer("noor", "Noor Haddad", "Beirut");
    for attempt in ["the first time", "the second time"] {
        let put = PutItem {
            condition_expression: Some("attribute_not_exists(PK)".to_owned()),
            ..PutItem::new(TABLE, newcomer.clone())
        };
        match engine.call(put).await {
            Ok(_) => line(format!("  PutItem CUSTOMER#noor if attribute_not_exists(PK), {attempt}: done")),
            Err(error @ Error::ConditionalCheckFailed { .. }) => line(format!("  PutItem, {attempt}: {error}")),
            Err(error) => return Err(error),
        }
    }
    let in_an_hour = SystemClock.now_seconds() + 3600;
    engine.call(PutItem::new(TABLE, sample::cart("noor", "fig", in_an_hour))).await?;
    line("  PutItem a cart that time to live removes in an hour");
    Ok(())
}

async fn queries(engine: &Engine) -> Result<()> {
    title("One query for a customer and all of their orders");
    let customer = values([(":c", "CUSTOMER#mira".into())]);
    let page = engine.call(query(None, "PK = :c", customer)).await?;
    show_items(page.items.as_deref());

    title("One query on the index: open orders of all customers, newest first");
    let page = engine
        .call(Query {
            names: Some([("#s".to_owned(), "Status".to_owned())].into()),
            scan_index_forward: Some(false),
            ..query(Some(BY_STATUS), "#s = :s", values([(":s", "OPEN".into())]))
        })
        .await?;
    show_items(page.items.as_deref());
    Ok(())
}

async fn counter(engine: &Engine) -> Result<()> {
    title("A counter that any number of clients may raise at once");
    let update = UpdateItem {
        table_name: TABLE.to_owned(),
        key: sample::key("CUSTOMER#mira", "PROFILE"),
        update_expression: Some("ADD Orders :one".to_owned()),
        values: Some(values([(":one", 1.into())])),
        return_values: Some(ReturnValues::UpdatedNew),
        ..UpdateItem::default()
    };
    let output = engine.call(update).await?;
    line(format!("  UpdateItem ADD Orders :one → {}", output.attributes.as_ref().map_or_else(String::new, show::item)));
    Ok(())
}

async fn transactions(engine: &Engine) -> Result<()> {
    title("A transaction: stock and order change together, or not at all");
    for (customer, number) in [("aiko", 1006), ("tomas", 1007)] {
        match engine.call(buy_the_last_one(customer, number)).await {
            Ok(_) => line(format!("  TransactWriteItems for {customer}: done, the last quince is sold")),
            Err(Error::TransactionCanceled(reasons)) => {
                let reasons: Vec<_> = reasons.iter().map(|reason| reason.code()).collect();
                line(format!("  TransactWriteItems for {customer}: cancelled, because [{}]", reasons.join(", ")));
            }
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

fn buy_the_last_one(customer: &str, number: i64) -> TransactWriteItems {
    let write = |action, condition: &str, values: Option<Item>| TransactWrite {
        table_name: TABLE.to_owned(),
        action,
        condition_expression: Some(condition.to_owned()),
        names: None,
        values,
        return_on_failure: None,
    };
    let take = TransactAction::Update {
        key: sample::key("PRODUCT#last", "STOCK"),
        update_expression: "SET Stock = Stock - :one".to_owned(),
    };
    let order = sample::order(customer, number, "2026-05-01T10:00:00Z", "OPEN", &[("last", 1)]);
    TransactWriteItems {
        writes: vec![
            write(take, "Stock >= :one", Some(values([(":one", 1.into())]))),
            write(TransactAction::Put(order), "attribute_not_exists(PK)", None),
        ],
        client_request_token: None,
        return_capacity: None,
        return_metrics: None,
    }
}

async fn stream(engine: &Engine) -> Result<()> {
    title("The stream: every change, in order");
    let streams = engine.call(ListStreams { table_name: Some(TABLE.to_owned()), ..ListStreams::default() }).await?;
    let Some(stream) = streams.streams.first() else { return Ok(()) };
    let shards =
        engine.call(DescribeStream { stream_arn: stream.arn.clone(), ..DescribeStream::default() }).await?.shards;
    let mut records = Vec::new();
    for shard in shards {
        let start = GetShardIterator {
            stream_arn: stream.arn.clone(),
            shard_id: shard.id,
            iterator_type: ShardIteratorType::TrimHorizon,
            sequence_number: None,
        };
        let shard_iterator = engine.call(start).await?.shard_iterator;
        records.extend(engine.call(GetRecords { shard_iterator, limit: None }).await?.records);
    }
    let shown = 5.min(records.len());
    line(format!("  {} records; the last {shown}:", records.len()));
    for record in &records[records.len() - shown..] {
        line(format!("  {:6} {}", record.event_name.name(), show::item(&record.keys)));
    }
    Ok(())
}

fn query(index: Option<&str>, condition: &str, values: Item) -> Query {
    Query {
        table_name: TABLE.to_owned(),
        index_name: index.map(str::to_owned),
        key_condition_expression: Some(condition.to_owned()),
        values: Some(values),
        ..Query::default()
    }
}

fn values<const COUNT: usize>(values: [(&str, Value); COUNT]) -> Item {
    Item::from(values)
}

fn show_items(items: Option<&[Item]>) {
    for item in items.unwrap_or_default() {
        line(format!("  {}", show::item(item)));
    }
}

fn title(text: &str) {
    line(format!("\n{text}"));
}
