//! Batches and transactions.

use std::collections::HashMap;

use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsError;
use aws_sdk_dynamodb::types::{
    ConditionCheck, Delete, DeleteRequest, Get, KeysAndAttributes, Put, ReturnValuesOnConditionCheckFailure, Select,
    TransactGetItem, TransactWriteItem, Update, WriteRequest,
};

use crate::reads::write_large;
use crate::scenario::{Item, Outcome, Shop, all, id, key, n, numbers, order, puts, rejected, s, scenarios};

scenarios![batch_write, batch_get, transact_write_and_get, transact_cancelled, transact_token];

async fn batch_write(shop: Shop) -> Outcome {
    shop.create_orders().await?;
    shop.write_batch(puts((1..=25).map(|nr| order("ada", nr)))?).await?;
    let count = shop.dynamodb.scan().table_name(&shop.table).select(Select::Count);
    assert_eq!(count.clone().send().await?.count(), 25);
    let mut mixed = puts((1..=13).map(|nr| order("bob", nr)))?;
    for nr in 1..=12 {
        let delete = DeleteRequest::builder().set_key(Some(key("ada", nr))).build()?;
        mixed.push(WriteRequest::builder().delete_request(delete).build());
    }
    shop.write_batch(mixed).await?;
    assert_eq!(count.clone().send().await?.count(), 26);
    let many = puts((1..=26).map(|nr| order("eve", nr)))?;
    let answer = shop.dynamodb.batch_write_item().request_items(&shop.table, many).send().await;
    rejected(answer, "ValidationException", "");
    assert_eq!(count.send().await?.count(), 26);
    Ok(())
}

async fn batch_get(shop: Shop) -> Outcome {
    shop.create_orders().await?;
    write_large(&shop).await?;
    let keys = (0..100).map(|nr| key("big", nr)).collect();
    let wanted = KeysAndAttributes::builder().set_keys(Some(keys)).consistent_read(true).build()?;
    let mut pending = HashMap::from([(shop.table.clone(), wanted)]);
    let (mut found, mut rounds) = (Vec::<Item>::new(), 0);
    while !pending.is_empty() {
        let answer = shop.dynamodb.batch_get_item().set_request_items(Some(pending)).send().await?;
        found.extend(answer.responses.unwrap_or_default().remove(&shop.table).unwrap_or_default());
        pending = answer.unprocessed_keys.unwrap_or_default();
        rounds += 1;
        assert!(rounds < 20, "the loop over unprocessed keys does not end");
    }
    let mut numbers = numbers(&found, "nr");
    numbers.sort();
    assert_eq!(numbers, all(0..=99));
    assert!(found.iter().all(|item| item["note"].as_s().is_ok_and(|note| note.len() == 180_000)));
    assert!(rounds > 1, "18 MB came in one answer");
    Ok(())
}

fn put(shop: &Shop, item: Item) -> Outcome<TransactWriteItem> {
    let put = Put::builder().table_name(&shop.table).set_item(Some(item)).build()?;
    Ok(TransactWriteItem::builder().put(put).build())
}

async fn transact_write_and_get(shop: Shop) -> Outcome {
    shop.create_orders().await?;
    shop.write_batch(puts((1..=3).map(|nr| order("ada", nr)))?).await?;
    let update = Update::builder()
        .table_name(&shop.table)
        .set_key(Some(key("ada", 1)))
        .update_expression("SET phase = :paid")
        .expression_attribute_values(":paid", s("paid"))
        .build()?;
    let check = ConditionCheck::builder()
        .table_name(&shop.table)
        .set_key(Some(key("ada", 3)))
        .condition_expression("attribute_exists(customer)")
        .build()?;
    let delete = Delete::builder().table_name(&shop.table).set_key(Some(key("ada", 2))).build()?;
    shop.dynamodb
        .transact_write_items()
        .transact_items(put(&shop, order("bob", 1))?)
        .transact_items(TransactWriteItem::builder().update(update).build())
        .transact_items(TransactWriteItem::builder().delete(delete).build())
        .transact_items(TransactWriteItem::builder().condition_check(check).build())
        .send()
        .await?;
    let mut gets = shop.dynamodb.transact_get_items();
    for wanted in [key("bob", 1), key("ada", 1), key("ada", 2), key("ada", 3)] {
        let get = Get::builder().table_name(&shop.table).set_key(Some(wanted)).build()?;
        gets = gets.transact_items(TransactGetItem::builder().get(get).build());
    }
    let answers = gets.send().await?;
    let answers: Vec<_> = answers.responses().iter().map(|answer| answer.item.clone()).collect();
    let mut changed = order("ada", 1);
    changed.insert("phase".to_owned(), s("paid"));
    assert_eq!(answers, [Some(order("bob", 1)), Some(changed), None, Some(order("ada", 3))]);
    Ok(())
}

async fn transact_cancelled(shop: Shop) -> Outcome {
    shop.create_orders().await?;
    shop.put(order("ada", 1)).await?;
    let second = Put::builder()
        .table_name(&shop.table)
        .set_item(Some(order("ada", 1)))
        .condition_expression("attribute_not_exists(customer)")
        .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
        .build()?;
    let answer = shop
        .dynamodb
        .transact_write_items()
        .transact_items(put(&shop, order("bob", 1))?)
        .transact_items(TransactWriteItem::builder().put(second).build())
        .send()
        .await;
    let sentence =
        "Transaction cancelled, please refer cancellation reasons for specific reasons [None, ConditionalCheckFailed]";
    let TransactWriteItemsError::TransactionCanceledException(error) =
        rejected(answer, "TransactionCanceledException", sentence)
    else {
        return Err("not a TransactionCanceledException".into());
    };
    let [none, failed] = error.cancellation_reasons() else { return Err("not two reasons".into()) };
    assert_eq!((none.code(), none.message(), none.item()), (Some("None"), None, None));
    assert_eq!(failed.code(), Some("ConditionalCheckFailed"));
    assert_eq!(failed.message(), Some("The conditional request failed"));
    assert_eq!(failed.item(), Some(&order("ada", 1)));
    assert_eq!(shop.get(key("bob", 1)).await?, None);
    Ok(())
}

async fn transact_token(shop: Shop) -> Outcome {
    shop.create_plain().await?;
    let add = |amount: i32| -> Outcome<_> {
        let update = Update::builder()
            .table_name(&shop.table)
            .set_key(Some(id("t")))
            .update_expression("ADD hits :n")
            .expression_attribute_values(":n", n(amount))
            .build()?;
        let write = shop.dynamodb.transact_write_items().client_request_token("token_of_rust");
        Ok(write.transact_items(TransactWriteItem::builder().update(update).build()))
    };
    add(1)?.send().await?;
    add(1)?.send().await?;
    assert_eq!(shop.get(id("t")).await?.ok_or("no item")?["hits"], n(1));
    let error = rejected(add(2)?.send().await, "IdempotentParameterMismatchException", "");
    assert!(error.is_idempotent_parameter_mismatch_exception());
    Ok(())
}
