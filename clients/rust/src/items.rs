//! Single items: values, conditions, updates, races, capacity, wrong input.

use aws_sdk_dynamodb::operation::put_item::builders::PutItemFluentBuilder;
use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::error::ConditionalCheckFailedException;
use aws_sdk_dynamodb::types::{
    AttributeValue, ReturnConsumedCapacity, ReturnValue, ReturnValuesOnConditionCheckFailure,
};
use serde::{Deserialize, Serialize};
use serde_dynamo::aws_sdk_dynamodb_1::{from_item, from_items, to_item};

use crate::scenario::{Item, Outcome, Shop, all, id, item, key, n, order, puts, rejected, s, scenarios};

scenarios![
    ten_types,
    exact_numbers,
    document_client,
    conditional_put,
    update_clauses,
    update_return_values,
    delete_returns_old,
    optimistic_locking,
    atomic_counter,
    consumed_capacity,
    wrong_input,
];

const LETTERS: &str = "aé漢😀\u{0}\n\"\\/\u{2028}";

fn blob(bytes: impl Into<Vec<u8>>) -> Blob {
    Blob::new(bytes)
}

fn map<const COUNT: usize>(attributes: [(&str, AttributeValue); COUNT]) -> AttributeValue {
    AttributeValue::M(item(attributes))
}

fn strings(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

fn list(texts: &[&str]) -> AttributeValue {
    AttributeValue::L(texts.iter().map(|text| s(*text)).collect())
}

fn put(shop: &Shop, item: Item) -> PutItemFluentBuilder {
    shop.dynamodb.put_item().table_name(&shop.table).set_item(Some(item))
}

async fn ten_types(shop: Shop) -> Outcome {
    shop.create_plain().await?;
    let deep = AttributeValue::L(vec![AttributeValue::B(blob([1])), AttributeValue::Ss(strings(&["x"]))]);
    let members =
        vec![n(1), s(""), AttributeValue::L(vec![]), AttributeValue::M(Item::new()), AttributeValue::Null(true)];
    let stored = item([
        ("id", s("all")),
        ("string", s(LETTERS)),
        ("empty_string", s("")),
        ("number", n("-12.5")),
        ("binary", AttributeValue::B(blob((0..=255).collect::<Vec<u8>>()))),
        ("empty_binary", AttributeValue::B(blob([]))),
        ("yes", AttributeValue::Bool(true)),
        ("no", AttributeValue::Bool(false)),
        ("null", AttributeValue::Null(true)),
        ("strings", AttributeValue::Ss(strings(&["a", LETTERS, "b"]))),
        ("numbers", AttributeValue::Ns(strings(&["-1", "0", "2.5"]))),
        ("binaries", AttributeValue::Bs(vec![blob([0]), blob([255, 254])])),
        ("list", AttributeValue::L(members)),
        ("map", map([(LETTERS, map([("deep", deep)]))])),
    ]);
    shop.put(stored.clone()).await?;
    let found = shop.get(id("all")).await?.ok_or("no item")?;
    assert_eq!(sorted(found), sorted(stored));
    Ok(())
}

/// With its sets in order.
fn sorted(mut item: Item) -> Item {
    for value in item.values_mut() {
        match value {
            AttributeValue::Ss(set) | AttributeValue::Ns(set) => set.sort(),
            AttributeValue::Bs(set) => set.sort_by(|a, b| a.as_ref().cmp(b.as_ref())),
            _ => {}
        }
    }
    item
}

async fn exact_numbers(shop: Shop) -> Outcome {
    shop.create_plain().await?;
    let most = format!("{}{}", "9".repeat(38), "0".repeat(88));
    let least = format!("-0.{}1", "0".repeat(129));
    let cases = [
        ("12345678901234567890123456789012345678", "12345678901234567890123456789012345678"),
        ("-0.12345678901234567890123456789012345678", "-0.12345678901234567890123456789012345678"),
        ("9.9999999999999999999999999999999999999E125", &most),
        ("-1E-130", &least),
        ("007.500", "7.5"),
        ("1e3", "1000"),
        ("-0", "0"),
        ("0.1", "0.1"),
    ];
    for (written, stored) in cases {
        shop.put(item([("id", s("n")), ("n", n(written))])).await?;
        assert_eq!(shop.get(id("n")).await?.ok_or("no item")?["n"], n(stored));
    }
    let too_much = [
        ("123456789012345678901234567890123456789", "Attempting to store more than 38 significant digits in a Number"),
        ("1E126", "Number overflow. Attempting to store a number with magnitude larger than supported range"),
        ("1E-131", "Number underflow. Attempting to store a number with magnitude smaller than supported range"),
    ];
    for (written, message) in too_much {
        let answer = put(&shop, item([("id", s("n")), ("n", n(written))])).send().await;
        rejected(answer, "ValidationException", message);
    }
    Ok(())
}

/// An item as a type: what comes nearest to a document client.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Parcel {
    id: String,
    /// Larger than a floating-point number holds exactly.
    nr: u64,
    weight: f64,
    #[serde(with = "serde_bytes")]
    raw: Vec<u8>,
    #[serde(with = "serde_dynamo::string_set")]
    colours: Vec<String>,
    nested: Nested,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Nested {
    list: Vec<Option<bool>>,
    empty: String,
}

async fn document_client(shop: Shop) -> Outcome {
    shop.create_plain().await?;
    let parcel = |nr| Parcel {
        id: format!("b{nr}"),
        nr,
        weight: 0.1,
        raw: vec![0, 1],
        colours: strings(&["green", "red"]),
        nested: Nested { list: vec![Some(true), None], empty: String::new() },
    };
    let large = parcel(u64::MAX);
    shop.put(to_item(&large)?).await?;
    let found: Parcel = from_item(shop.get(id(&large.id)).await?.ok_or("no item")?)?;
    assert_eq!(found, large);
    for start in [0, 20, 40] {
        let items = (start..start + 20).map(|nr| to_item(parcel(nr))).collect::<Result<Vec<Item>, _>>()?;
        shop.write_batch(puts(items)?).await?;
    }
    let scan = shop
        .dynamodb
        .scan()
        .table_name(&shop.table)
        .filter_expression("nr BETWEEN :from AND :to AND begins_with(id, :b)")
        .expression_attribute_values(":from", n(10))
        .expression_attribute_values(":to", n(19))
        .expression_attribute_values(":b", s("b"));
    let found = scan.into_paginator().page_size(25).items().send().collect::<Result<Vec<Item>, _>>().await?;
    let mut found: Vec<Parcel> = from_items(found)?;
    found.sort_by_key(|parcel| parcel.nr);
    assert_eq!(found, (10..20).map(parcel).collect::<Vec<_>>());
    Ok(())
}

async fn conditional_put(shop: Shop) -> Outcome {
    shop.create_orders().await?;
    put(&shop, order("ada", 1)).condition_expression("attribute_not_exists(customer)").send().await?;
    let answer = put(&shop, key("ada", 1))
        .condition_expression("attribute_not_exists(customer) OR amount > :least")
        .expression_attribute_values(":least", n(10))
        .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
        .send()
        .await;
    let error = rejected(answer, "ConditionalCheckFailedException", "The conditional request failed");
    assert!(error.is_conditional_check_failed_exception());
    assert_eq!(returned_item(&error), Some(&order("ada", 1)));
    let answer = shop
        .dynamodb
        .delete_item()
        .table_name(&shop.table)
        .set_key(Some(key("ada", 1)))
        .condition_expression("phase = :paid")
        .expression_attribute_values(":paid", s("paid"))
        .send()
        .await;
    let error = rejected(answer, "ConditionalCheckFailedException", "");
    assert_eq!(returned_item(&error), None);
    Ok(())
}

fn returned_item<'a>(error: &'a (dyn std::error::Error + 'static)) -> Option<&'a Item> {
    error.source().and_then(|source| source.downcast_ref::<ConditionalCheckFailedException>())?.item()
}

async fn update_clauses(shop: Shop) -> Outcome {
    shop.create_plain().await?;
    shop.put(item([
        ("id", s("u")),
        ("hits", n(1)),
        ("list", list(&["a", "b", "c"])),
        ("map", map([("inside", map([("x", n(1))]))])),
        ("colours", AttributeValue::Ss(strings(&["red", "green"]))),
        ("gone", s("soon")),
    ]))
    .await?;
    shop.dynamodb
        .update_item()
        .table_name(&shop.table)
        .set_key(Some(id("u")))
        .update_expression(
            "SET #map.inside.x = #map.inside.x + :two, fresh = if_not_exists(fresh, :zero), \
             more = list_append(#list, :tail), #list[0] = :first \
             REMOVE gone, #list[1] ADD hits :two, sizes :sizes DELETE colours :red",
        )
        .expression_attribute_names("#map", "map")
        .expression_attribute_names("#list", "list")
        .expression_attribute_values(":two", n(2))
        .expression_attribute_values(":zero", n(0))
        .expression_attribute_values(":tail", list(&["d"]))
        .expression_attribute_values(":first", s("A"))
        .expression_attribute_values(":sizes", AttributeValue::Ns(strings(&["7"])))
        .expression_attribute_values(":red", AttributeValue::Ss(strings(&["red"])))
        .send()
        .await?;
    let expected = item([
        ("id", s("u")),
        ("hits", n(3)),
        ("list", list(&["A", "c"])),
        ("map", map([("inside", map([("x", n(3))]))])),
        ("colours", AttributeValue::Ss(strings(&["green"]))),
        ("fresh", n(0)),
        ("more", list(&["a", "b", "c", "d"])),
        ("sizes", AttributeValue::Ns(strings(&["7"]))),
    ]);
    assert_eq!(shop.get(id("u")).await?, Some(expected));
    Ok(())
}

async fn update_return_values(shop: Shop) -> Outcome {
    shop.create_plain().await?;
    let whole = |nr| item([("id", s("r")), ("nr", n(nr)), ("kept", n(1))]);
    let part = |nr| item([("nr", n(nr)), ("kept", n(1))]);
    let cases = [
        (1, ReturnValue::None, None),
        (2, ReturnValue::AllOld, Some(whole(1))),
        (3, ReturnValue::UpdatedOld, Some(part(2))),
        (4, ReturnValue::AllNew, Some(whole(4))),
        (5, ReturnValue::UpdatedNew, Some(part(5))),
    ];
    for (nr, wanted, expected) in cases {
        let update = shop
            .dynamodb
            .update_item()
            .table_name(&shop.table)
            .set_key(Some(id("r")))
            .update_expression("SET nr = :nr, kept = if_not_exists(kept, :nr)")
            .expression_attribute_values(":nr", n(nr))
            .return_values(wanted);
        assert_eq!(update.send().await?.attributes, expected);
    }
    Ok(())
}

async fn delete_returns_old(shop: Shop) -> Outcome {
    shop.create_orders().await?;
    shop.put(order("ada", 1)).await?;
    let delete = shop.dynamodb.delete_item().table_name(&shop.table).set_key(Some(key("ada", 1)));
    let delete = delete.return_values(ReturnValue::AllOld);
    assert_eq!(delete.clone().send().await?.attributes, Some(order("ada", 1)));
    assert_eq!(delete.send().await?.attributes, None);
    assert_eq!(shop.get(key("ada", 1)).await?, None);
    Ok(())
}

async fn optimistic_locking(shop: Shop) -> Outcome {
    shop.create_plain().await?;
    shop.put(item([("id", s("v")), ("version", n(0))])).await?;
    for version in 0..10 {
        let update = shop
            .dynamodb
            .update_item()
            .table_name(&shop.table)
            .set_key(Some(id("v")))
            .update_expression("SET version = :next")
            .condition_expression("version = :seen")
            .expression_attribute_values(":seen", n(version))
            .expression_attribute_values(":next", n(version + 1));
        let (first, second) = tokio::join!(tokio::spawn(update.clone().send()), tokio::spawn(update.send()));
        let (won, lost): (Vec<_>, Vec<_>) = [first?, second?].into_iter().partition(Result::is_ok);
        assert_eq!((won.len(), lost.len()), (1, 1));
        for answer in lost {
            let error = rejected(answer, "ConditionalCheckFailedException", "");
            assert!(error.is_conditional_check_failed_exception());
        }
    }
    Ok(())
}

async fn atomic_counter(shop: Shop) -> Outcome {
    shop.create_plain().await?;
    let add = shop
        .dynamodb
        .update_item()
        .table_name(&shop.table)
        .set_key(Some(id("c")))
        .update_expression("ADD hits :one")
        .expression_attribute_values(":one", n(1));
    let calls: Vec<_> = all(1..=40).into_iter().map(|_| tokio::spawn(add.clone().send())).collect();
    for call in calls {
        call.await??;
    }
    assert_eq!(shop.get(id("c")).await?.ok_or("no item")?["hits"], n(40));
    Ok(())
}

async fn consumed_capacity(shop: Shop) -> Outcome {
    shop.create_orders().await?;
    let mut noted = order("ada", 1);
    noted.insert("note".to_owned(), s("x".repeat(1500)));
    let written = put(&shop, noted).return_consumed_capacity(ReturnConsumedCapacity::Indexes).send().await?;
    let written = written.consumed_capacity.ok_or("no capacity")?;
    assert_eq!(written.table_name(), Some(shop.table.as_str()));
    assert_eq!(written.capacity_units(), Some(5.0));
    assert_eq!(written.table().and_then(|table| table.capacity_units()), Some(2.0));
    let of = |indexes: Option<&std::collections::HashMap<String, aws_sdk_dynamodb::types::Capacity>>, name| {
        indexes.and_then(|indexes| indexes[name].capacity_units())
    };
    assert_eq!(of(written.global_secondary_indexes(), "by_phase"), Some(2.0));
    assert_eq!(of(written.local_secondary_indexes(), "by_day"), Some(1.0));
    for (consistent, units) in [(true, 1.0), (false, 0.5)] {
        let get = shop.dynamodb.get_item().table_name(&shop.table).set_key(Some(key("ada", 1)));
        let get = get.consistent_read(consistent).return_consumed_capacity(ReturnConsumedCapacity::Total);
        let read = get.send().await?.consumed_capacity.ok_or("no capacity")?;
        assert_eq!(read.capacity_units(), Some(units));
    }
    Ok(())
}

async fn wrong_input(shop: Shop) -> Outcome {
    shop.create_orders().await?;
    let mut large = order("ada", 1);
    large.insert("note".to_owned(), s("x".repeat(409_600)));
    let unused = put(&shop, order("ada", 1))
        .condition_expression("attribute_not_exists(customer)")
        .expression_attribute_names("#unused", "x");
    let cases = [
        (
            put(&shop, item([("customer", s("ada"))])),
            "One or more parameter values were invalid: Missing the key nr in the item",
        ),
        (
            put(&shop, item([("customer", s("ada")), ("nr", s("1"))])),
            "One or more parameter values were invalid: Type mismatch for key nr expected: N actual: S",
        ),
        (unused, "Value provided in ExpressionAttributeNames unused in expressions: keys: {#unused}"),
        (put(&shop, large), "Item size has exceeded the maximum allowed size"),
    ];
    for (request, message) in cases {
        rejected(request.send().await, "ValidationException", message);
    }
    Ok(())
}
