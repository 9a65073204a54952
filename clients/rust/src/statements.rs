//! PartiQL and streams.

use std::time::Duration;

use aws_sdk_dynamodb::operation::execute_statement::builders::ExecuteStatementFluentBuilder;
use aws_sdk_dynamodb::operation::execute_transaction::ExecuteTransactionError;
use aws_sdk_dynamodb::operation::execute_transaction::builders::ExecuteTransactionFluentBuilder;
use aws_sdk_dynamodb::types::{
    BatchStatementErrorCodeEnum, BatchStatementRequest, ParameterizedStatement, StreamSpecification, StreamViewType,
};
use aws_sdk_dynamodbstreams::types::{AttributeValue as Image, OperationType, Record, Shard, ShardIteratorType};

use crate::scenario::{Outcome, Shop, all, id, item, key, n, numbers, order, rejected, s, scenarios};

scenarios![streams, partiql, partiql_pages, partiql_batch, partiql_transaction];

async fn streams(shop: Shop) -> Outcome {
    let view = StreamSpecification::builder().stream_enabled(true).stream_view_type(StreamViewType::NewAndOldImages);
    let created = shop.create(shop.plain()?.stream_specification(view.build()?)).await?;
    let arn = created.latest_stream_arn().ok_or("no stream")?;
    shop.put(item([("id", s("a")), ("n", n(1))])).await?;
    shop.put(item([("id", s("a")), ("n", n(1))])).await?; // changes nothing, so leaves no record
    shop.put(item([("id", s("a")), ("n", n(2))])).await?;
    shop.dynamodb.delete_item().table_name(&shop.table).set_key(Some(id("a"))).send().await?;
    shop.put(id("b")).await?;

    let listed = shop.streams.list_streams().table_name(&shop.table).send().await?;
    assert_eq!(listed.streams().iter().map(|stream| stream.stream_arn()).collect::<Vec<_>>(), [Some(arn)]);
    let stream = shop.streams.describe_stream().stream_arn(arn).send().await?;
    let stream = stream.stream_description().ok_or("no description")?;
    assert_eq!(stream.stream_status().map(|status| status.as_str()), Some("ENABLED"));
    assert_eq!(stream.stream_view_type().map(|view| view.as_str()), Some("NEW_AND_OLD_IMAGES"));
    let mut records = read_stream(&shop, arn, stream.shards(), 4).await?;
    records.sort_by_key(|record| text(record, "id"));
    let images: Vec<_> = records.iter().map(images).collect();
    let image = |id: &str, n: Option<i32>| Some((id.to_owned(), n.map(|n| n.to_string())));
    let expected = [
        (OperationType::Insert, None, image("a", Some(1))),
        (OperationType::Modify, image("a", Some(1)), image("a", Some(2))),
        (OperationType::Remove, image("a", Some(2)), None),
        (OperationType::Insert, None, image("b", None)),
    ];
    assert_eq!(images, expected);
    let sequence: Vec<u128> = records[..3].iter().map(sequence_number).collect::<Outcome<_>>()?;
    assert!(sequence.is_sorted(), "{sequence:?}");
    Ok(())
}

fn text(record: &Record, name: &str) -> String {
    let keys = record.dynamodb().and_then(|record| record.keys()).expect("keys");
    keys[name].as_s().expect("a string").clone()
}

fn sequence_number(record: &Record) -> Outcome<u128> {
    Ok(record.dynamodb().and_then(|record| record.sequence_number()).ok_or("no sequence number")?.parse()?)
}

type Brief = Option<(String, Option<String>)>;

/// What happened, and `id` and `n` of the old and the new image.
fn images(record: &Record) -> (OperationType, Brief, Brief) {
    let change = record.dynamodb().expect("a change");
    let brief = |image: Option<&std::collections::HashMap<String, Image>>| {
        let image = image?;
        let n = image.get("n").map(|n| n.as_n().expect("a number").clone());
        Some((image["id"].as_s().expect("a string").clone(), n))
    };
    let name = record.event_name().expect("a name").clone();
    (name, brief(change.old_image()), brief(change.new_image()))
}

/// Reads every shard from its beginning until that many records are there.
async fn read_stream(shop: &Shop, arn: &str, shards: &[Shard], expected: usize) -> Outcome<Vec<Record>> {
    let mut iterators = Vec::new();
    for shard in shards {
        let wanted = shop.streams.get_shard_iterator().stream_arn(arn).set_shard_id(shard.shard_id.clone());
        let wanted = wanted.shard_iterator_type(ShardIteratorType::TrimHorizon);
        iterators.extend(wanted.send().await?.shard_iterator);
    }
    let mut records = Vec::new();
    for _ in 0..100 {
        let mut following = Vec::new();
        for iterator in &iterators {
            let answer = shop.streams.get_records().shard_iterator(iterator).limit(2).send().await?;
            records.extend(answer.records.unwrap_or_default());
            following.extend(answer.next_shard_iterator);
        }
        iterators = following;
        if records.len() >= expected {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(records.len(), expected);
    Ok(records)
}

fn execute(shop: &Shop, statement: &str) -> ExecuteStatementFluentBuilder {
    shop.dynamodb.execute_statement().statement(statement.replace("orders", &format!("\"{}\"", shop.table)))
}

async fn partiql(shop: Shop) -> Outcome {
    shop.create_orders().await?;
    execute(&shop, "INSERT INTO orders VALUE {'customer': ?, 'nr': ?, 'phase': 'open', 'amount': 10}")
        .parameters(s("ada"))
        .parameters(n(1))
        .send()
        .await?;
    let again = execute(&shop, "INSERT INTO orders VALUE {'customer': 'ada', 'nr': 1}").send().await;
    let error = rejected(again, "DuplicateItemException", "Duplicate primary key exists in table");
    assert!(error.is_duplicate_item_exception());
    let select = execute(&shop, "SELECT * FROM orders WHERE customer = ? AND nr = ?");
    let found = select.parameters(s("ada")).parameters(n(1)).send().await?;
    let mut stored = order("ada", 1);
    stored.remove("placed");
    assert_eq!(found.items(), [stored.clone()]);
    let select = execute(&shop, "SELECT amount FROM orders.\"by_phase\" WHERE phase = 'open' AND amount > ?");
    assert_eq!(select.parameters(n(5)).send().await?.items(), [item([("amount", n(10))])]);
    let update = execute(
        &shop,
        "UPDATE orders SET amount = amount + ? SET phase = 'paid' WHERE customer = 'ada' AND nr = 1 \
         RETURNING ALL NEW *",
    );
    stored.insert("phase".to_owned(), s("paid"));
    stored.insert("amount".to_owned(), n(15));
    assert_eq!(update.parameters(n(5)).send().await?.items(), [stored]);
    execute(&shop, "DELETE FROM orders WHERE customer = 'ada' AND nr = 1").send().await?;
    let found = execute(&shop, "SELECT * FROM orders WHERE customer = 'ada'").send().await?;
    assert!(found.items().is_empty(), "{found:?}");
    Ok(())
}

async fn partiql_pages(shop: Shop) -> Outcome {
    shop.create_orders().await?;
    shop.fill_orders().await?;
    let (mut found, mut token) = (Vec::new(), None);
    for _ in 0..10 {
        let select = execute(&shop, "SELECT nr FROM orders WHERE customer = 'ada'").limit(7);
        let answer = select.set_next_token(token).send().await?;
        found.extend(numbers(answer.items(), "nr"));
        token = answer.next_token;
        if token.is_none() {
            break;
        }
    }
    assert_eq!(found, all(1..=30));
    Ok(())
}

async fn partiql_batch(shop: Shop) -> Outcome {
    shop.create_orders().await?;
    shop.put(order("ada", 1)).await?;
    let insert = |who: &str| {
        let text = format!("INSERT INTO \"{}\" VALUE {{'customer': '{who}', 'nr': 1}}", shop.table);
        BatchStatementRequest::builder().statement(text).build()
    };
    let inserted =
        shop.dynamodb.batch_execute_statement().statements(insert("bob")?).statements(insert("ada")?).send().await?;
    let codes: Vec<_> =
        inserted.responses().iter().map(|answer| answer.error().and_then(|error| error.code())).collect();
    assert_eq!(codes, [None, Some(&BatchStatementErrorCodeEnum::DuplicateItem)]);
    let mut select = shop.dynamodb.batch_execute_statement();
    for who in ["ada", "bob", "eve"] {
        let text = format!("SELECT nr FROM \"{}\" WHERE customer = ? AND nr = 1", shop.table);
        select = select.statements(BatchStatementRequest::builder().statement(text).parameters(s(who)).build()?);
    }
    let found = select.send().await?;
    let found: Vec<_> = found.responses().iter().map(|answer| answer.item.clone()).collect();
    assert_eq!(found, [Some(item([("nr", n(1))])), Some(item([("nr", n(1))])), None]);
    Ok(())
}

fn transaction(shop: &Shop, statements: [&str; 2]) -> Outcome<ExecuteTransactionFluentBuilder> {
    let mut transaction = shop.dynamodb.execute_transaction();
    for statement in statements {
        let text = statement.replace("orders", &format!("\"{}\"", shop.table));
        transaction = transaction.transact_statements(ParameterizedStatement::builder().statement(text).build()?);
    }
    Ok(transaction)
}

async fn partiql_transaction(shop: Shop) -> Outcome {
    shop.create_orders().await?;
    shop.put(order("ada", 1)).await?;
    let insert = "INSERT INTO orders VALUE {'customer': 'bob', 'nr': 1}";
    let absent = "UPDATE orders SET amount = 1 WHERE customer = 'eve' AND nr = 1";
    let answer = transaction(&shop, [insert, absent])?.send().await;
    let ExecuteTransactionError::TransactionCanceledException(error) =
        rejected(answer, "TransactionCanceledException", "")
    else {
        return Err("not a TransactionCanceledException".into());
    };
    let codes: Vec<_> = error.cancellation_reasons().iter().map(|reason| reason.code()).collect();
    assert_eq!(codes, [Some("None"), Some("ConditionalCheckFailed")]);
    assert_eq!(shop.get(key("bob", 1)).await?, None);
    transaction(&shop, [insert, "UPDATE orders SET amount = 1 WHERE customer = 'ada' AND nr = 1"])?.send().await?;
    let selects = [
        "SELECT * FROM orders WHERE customer = 'bob' AND nr = 1",
        "SELECT amount FROM orders WHERE customer = 'ada' AND nr = 1",
    ];
    let found = transaction(&shop, selects)?.send().await?;
    let found: Vec<_> = found.responses().iter().map(|answer| answer.item.clone()).collect();
    assert_eq!(found, [Some(key("bob", 1)), Some(item([("amount", n(1))]))]);
    Ok(())
}
