//! Query and Scan with the paginators.

use std::collections::BTreeSet;

use aws_sdk_dynamodb::operation::query::QueryOutput;
use aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder;
use aws_sdk_dynamodb::types::Select;

use crate::scenario::{Item, Outcome, Shop, all, id, item, n, numbers, puts, s, scenarios};

scenarios![query_pages, query_index, query_backward, scan_pages, scan_segments, large_pages];

fn query(shop: &Shop, condition: &str) -> QueryFluentBuilder {
    shop.dynamodb.query().table_name(&shop.table).key_condition_expression(condition)
}

async fn pages(query: QueryFluentBuilder, page_size: i32) -> Outcome<Vec<QueryOutput>> {
    Ok(query.into_paginator().page_size(page_size).send().collect::<Result<Vec<_>, _>>().await?)
}

fn items(pages: &[QueryOutput]) -> Vec<Item> {
    pages.iter().flat_map(|page| page.items().to_vec()).collect()
}

async fn query_pages(shop: Shop) -> Outcome {
    shop.create_orders().await?;
    shop.fill_orders().await?;
    let ada = query(&shop, "customer = :who").expression_attribute_values(":who", s("ada"));
    let found = pages(ada.clone(), 7).await?;
    assert_eq!(found.iter().map(QueryOutput::count).collect::<Vec<_>>(), [7, 7, 7, 7, 2]);
    assert_eq!(numbers(&items(&found), "nr"), all(1..=30));
    let flat = ada.into_paginator().page_size(7).items().send().collect::<Result<Vec<Item>, _>>().await?;
    assert_eq!(flat, items(&found));
    Ok(())
}

async fn query_index(shop: Shop) -> Outcome {
    shop.create_orders().await?;
    shop.fill_orders().await?;
    let paid = query(&shop, "phase = :paid").index_name("by_phase").expression_attribute_values(":paid", s("paid"));
    let found = pages(paid, 6).await?;
    assert_eq!(found.iter().map(QueryOutput::count).collect::<Vec<_>>(), [6, 6, 6, 2]);
    let mut expected: Vec<i32> = (1..=15).chain(1..=5).map(|half| half * 20).collect();
    expected.sort();
    assert_eq!(numbers(&items(&found), "amount"), expected);
    let days = query(&shop, "customer = :who AND placed BETWEEN :from AND :to")
        .index_name("by_day")
        .expression_attribute_values(":who", s("ada"))
        .expression_attribute_values(":from", s("2026-01-10"))
        .expression_attribute_values(":to", s("2026-01-19"));
    let found = items(&pages(days, 4).await?);
    assert_eq!(numbers(&found, "nr"), all(10..=19));
    assert_eq!(
        found[0].keys().map(String::as_str).collect::<BTreeSet<_>>(),
        ["amount", "customer", "nr", "placed"].into()
    );
    Ok(())
}

async fn query_backward(shop: Shop) -> Outcome {
    shop.create_orders().await?;
    shop.fill_orders().await?;
    let backward = query(&shop, "customer = :who AND nr > :nr")
        .expression_attribute_values(":who", s("ada"))
        .expression_attribute_values(":nr", n(10))
        .expression_attribute_values(":open", s("open"))
        .scan_index_forward(false)
        .filter_expression("phase = :open")
        .projection_expression("nr, #amount")
        .expression_attribute_names("#amount", "amount");
    let found = pages(backward, 8).await?;
    let counts: Vec<_> = found.iter().map(|page| (page.count(), page.scanned_count())).collect();
    assert_eq!(counts, [(4, 8), (4, 8), (2, 4)]);
    let expected = (11..=29).rev().step_by(2).map(|nr| item([("nr", n(nr)), ("amount", n(nr * 10))]));
    assert_eq!(items(&found), expected.collect::<Vec<_>>());
    Ok(())
}

async fn scan_pages(shop: Shop) -> Outcome {
    shop.create_orders().await?;
    shop.fill_orders().await?;
    let scan = shop.dynamodb.scan().table_name(&shop.table);
    let found = scan.clone().into_paginator().page_size(9).send().collect::<Result<Vec<_>, _>>().await?;
    assert_eq!(found.iter().map(|page| page.count()).collect::<Vec<_>>(), [9, 9, 9, 9, 4]);
    for (customer, expected) in [("ada", all(1..=30)), ("bob", all(1..=10))] {
        let of: Vec<Item> = found.iter().flat_map(|page| page.items().to_vec()).collect();
        let of: Vec<Item> = of.into_iter().filter(|item| item["customer"] == s(customer)).collect();
        let mut of = numbers(&of, "nr");
        of.sort();
        assert_eq!(of, expected);
    }
    assert_eq!(scan.select(Select::Count).send().await?.count(), 40);
    Ok(())
}

async fn scan_segments(shop: Shop) -> Outcome {
    shop.create_plain().await?;
    for start in [0, 25, 50, 75] {
        shop.write_batch(puts((start..start + 25).map(|nr| id(&format!("s{nr}"))))?).await?;
    }
    let segment = |nr| {
        let scan = shop.dynamodb.scan().table_name(&shop.table).segment(nr).total_segments(4);
        let read = scan.into_paginator().page_size(10).items().send();
        tokio::spawn(async move { read.collect::<Result<Vec<Item>, _>>().await })
    };
    let segments: Vec<_> = (0..4).map(segment).collect();
    let mut found = Vec::new();
    for segment in segments {
        let items = segment.await??;
        assert!(!items.is_empty());
        found.extend(items.into_iter().map(|item| item["id"].as_s().expect("a string").clone()));
    }
    found.sort();
    let mut expected: Vec<String> = (0..100).map(|nr| format!("s{nr}")).collect();
    expected.sort();
    assert_eq!(found, expected);
    Ok(())
}

async fn large_pages(shop: Shop) -> Outcome {
    shop.create_orders().await?;
    write_large(&shop).await?;
    let big = query(&shop, "customer = :who").expression_attribute_values(":who", s("big"));
    let found = big.into_paginator().send().collect::<Result<Vec<_>, _>>().await?;
    // A page ends with the item that crosses 1 MB, here the sixth.
    let mut expected = vec![6; 16];
    expected.push(4);
    assert_eq!(found.iter().map(QueryOutput::count).collect::<Vec<_>>(), expected);
    assert_eq!(numbers(&items(&found), "nr"), all(0..=99));
    Ok(())
}

/// 100 items of 180 KB, 25 at a time.
pub async fn write_large(shop: &Shop) -> Outcome {
    for start in [0, 25, 50, 75] {
        let large = |nr| item([("customer", s("big")), ("nr", n(nr)), ("note", s("x".repeat(180_000)))]);
        shop.write_batch(puts((start..start + 25).map(large))?).await?;
    }
    Ok(())
}
