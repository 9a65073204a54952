//! Tables: creating, describing, changing, deleting.

use std::time::{Duration, SystemTime};

use aws_sdk_dynamodb::types::{
    CreateGlobalSecondaryIndexAction, DeleteGlobalSecondaryIndexAction, GlobalSecondaryIndexUpdate, IndexStatus,
    KeyType, Projection, ProjectionType, TableStatus, Tag, TimeToLiveSpecification, TimeToLiveStatus,
};

use crate::scenario::{Outcome, Shop, id, key_element, numbers, order_attributes, rejected, s, scenarios};

scenarios![
    create_and_describe,
    list_tables_pages,
    create_twice,
    missing_table,
    add_and_remove_index,
    time_to_live,
    tags,
    deletion_protection,
    delete_table,
];

async fn create_and_describe(shop: Shop) -> Outcome {
    let created = shop.orders()?.send().await?.table_description.ok_or("no description")?;
    assert_eq!(created.table_status, Some(TableStatus::Creating));
    shop.wait_until_exists().await?;
    let found = shop.dynamodb.describe_table().table_name(&shop.table).send().await?.table.ok_or("no table")?;
    assert_eq!(found.table_status, Some(TableStatus::Active));
    assert_eq!(found.key_schema(), [key_element("customer", KeyType::Hash)?, key_element("nr", KeyType::Range)?]);
    let (mut attributes, mut expected) = (found.attribute_definitions().to_vec(), order_attributes()?);
    attributes.sort_by(|a, b| a.attribute_name.cmp(&b.attribute_name));
    expected.sort_by(|a, b| a.attribute_name.cmp(&b.attribute_name));
    assert_eq!(attributes, expected);
    assert_eq!(found.item_count, Some(0));
    let arn = found.table_arn().ok_or("no ARN")?;
    assert!(
        arn.starts_with("arn:aws:dynamodb:us-east-1:") && arn.ends_with(&format!(":table/{}", shop.table)),
        "{arn}"
    );
    #[expect(clippy::disallowed_methods, reason = "what the server's clock is compared with")]
    let a_while_ago = SystemTime::now() - Duration::from_secs(600);
    let created = SystemTime::try_from(*found.creation_date_time().ok_or("no date")?)?;
    assert!(created > a_while_ago, "{created:?}");
    let [index] = found.global_secondary_indexes() else { return Err("not one global index".into()) };
    assert_eq!((index.index_name(), index.index_status()), (Some("by_phase"), Some(&IndexStatus::Active)));
    assert_eq!(index.index_arn(), Some(format!("{arn}/index/by_phase").as_str()));
    let [local] = found.local_secondary_indexes() else { return Err("not one local index".into()) };
    assert_eq!(local.index_name(), Some("by_day"));
    let projection = local.projection().ok_or("no projection")?;
    assert_eq!(projection.projection_type(), Some(&ProjectionType::Include));
    assert_eq!(projection.non_key_attributes(), ["amount"]);
    Ok(())
}

async fn list_tables_pages(shop: Shop) -> Outcome {
    let expected: Vec<String> = ('a'..='g').map(|letter| format!("{}_{letter}", shop.table)).collect();
    for table in &expected {
        Shop { table: table.clone(), ..shop.clone() }.create_plain().await?;
    }
    let pages = shop.dynamodb.list_tables().into_paginator().page_size(3).send();
    let pages = pages.collect::<Result<Vec<_>, _>>().await?;
    let (last, full) = pages.split_last().ok_or("no pages")?;
    assert!(full.len() >= 2 && full.iter().all(|page| page.table_names().len() == 3), "{pages:?}");
    assert!(last.table_names().len() <= 3);
    let listed: Vec<String> = pages.iter().flat_map(|page| page.table_names().to_vec()).collect();
    assert!(listed.is_sorted());
    let prefix = format!("{}_", shop.table);
    assert_eq!(listed.into_iter().filter(|name| name.starts_with(&prefix)).collect::<Vec<_>>(), expected);
    Ok(())
}

async fn create_twice(shop: Shop) -> Outcome {
    shop.create_plain().await?;
    let sentence = format!("Table already exists: {}", shop.table);
    let error = rejected(shop.plain()?.send().await, "ResourceInUseException", &sentence);
    assert!(error.is_resource_in_use_exception());
    Ok(())
}

async fn missing_table(shop: Shop) -> Outcome {
    let get = shop.dynamodb.get_item().table_name(&shop.table).set_key(Some(id("a"))).send().await;
    let error = rejected(get, "ResourceNotFoundException", "Requested resource not found");
    assert!(error.is_resource_not_found_exception());
    let describe = shop.dynamodb.describe_table().table_name(&shop.table).send().await;
    let sentence = format!("Requested resource not found: Table: {} not found", shop.table);
    assert!(rejected(describe, "ResourceNotFoundException", &sentence).is_resource_not_found_exception());
    Ok(())
}

async fn add_and_remove_index(shop: Shop) -> Outcome {
    shop.create_orders().await?;
    shop.fill_orders().await?;
    let create = CreateGlobalSecondaryIndexAction::builder()
        .index_name("by_placed")
        .key_schema(key_element("placed", KeyType::Hash)?)
        .projection(Projection::builder().projection_type(ProjectionType::KeysOnly).build())
        .build()?;
    shop.dynamodb
        .update_table()
        .table_name(&shop.table)
        .set_attribute_definitions(Some(order_attributes()?))
        .global_secondary_index_updates(GlobalSecondaryIndexUpdate::builder().create(create).build())
        .send()
        .await?;
    wait_for_index(&shop, Some(IndexStatus::Active)).await?;
    let query = shop
        .dynamodb
        .query()
        .table_name(&shop.table)
        .index_name("by_placed")
        .key_condition_expression("placed = :day")
        .expression_attribute_values(":day", s("2026-01-07"));
    let found = query.clone().send().await?;
    let mut customers: Vec<_> = found.items().iter().map(|item| item["customer"].as_s().expect("a string")).collect();
    customers.sort();
    assert_eq!(customers, ["ada", "bob"]);
    assert_eq!(numbers(found.items(), "nr"), [7, 7]);
    assert_eq!(found.items()[0].len(), 3);
    let delete = DeleteGlobalSecondaryIndexAction::builder().index_name("by_placed").build()?;
    shop.dynamodb
        .update_table()
        .table_name(&shop.table)
        .global_secondary_index_updates(GlobalSecondaryIndexUpdate::builder().delete(delete).build())
        .send()
        .await?;
    wait_for_index(&shop, None).await?;
    let sentence = "The table does not have the specified index: by_placed";
    rejected(query.send().await, "ValidationException", sentence);
    Ok(())
}

async fn wait_for_index(shop: &Shop, status: Option<IndexStatus>) -> Outcome {
    for _ in 0..200 {
        let found = shop.dynamodb.describe_table().table_name(&shop.table).send().await?.table.ok_or("no table")?;
        let index = found.global_secondary_indexes().iter().find(|index| index.index_name() == Some("by_placed"));
        if index.and_then(|index| index.index_status()) == status.as_ref() {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    Err(format!("by_placed did not become {status:?}").into())
}

async fn time_to_live(shop: Shop) -> Outcome {
    shop.create_plain().await?;
    let describe = shop.dynamodb.describe_time_to_live().table_name(&shop.table);
    let found = describe.clone().send().await?.time_to_live_description.ok_or("no description")?;
    assert_eq!(found.time_to_live_status(), Some(&TimeToLiveStatus::Disabled));
    let wanted = TimeToLiveSpecification::builder().enabled(true).attribute_name("expires").build()?;
    let enable = shop.dynamodb.update_time_to_live().table_name(&shop.table).time_to_live_specification(wanted.clone());
    assert_eq!(enable.clone().send().await?.time_to_live_specification, Some(wanted));
    let found = describe.send().await?.time_to_live_description.ok_or("no description")?;
    assert_eq!(found.time_to_live_status(), Some(&TimeToLiveStatus::Enabled));
    assert_eq!(found.attribute_name(), Some("expires"));
    rejected(enable.send().await, "ValidationException", "TimeToLive is already enabled");
    Ok(())
}

async fn tags(shop: Shop) -> Outcome {
    let tag = |key, value| Tag::builder().key(key).value(value).build();
    let created = shop.create(shop.plain()?.tags(tag("team", "garden")?)).await?;
    let arn = created.table_arn().ok_or("no ARN")?;
    let tags = shop.dynamodb.tag_resource().resource_arn(arn);
    tags.tags(tag("cost", "low")?).tags(tag("team", "fruit")?).send().await?;
    let mut listed = listed_tags(&shop, arn).await?;
    listed.sort_by(|a, b| a.key.cmp(&b.key));
    assert_eq!(listed, [tag("cost", "low")?, tag("team", "fruit")?]);
    shop.dynamodb.untag_resource().resource_arn(arn).tag_keys("team").send().await?;
    assert_eq!(listed_tags(&shop, arn).await?, [tag("cost", "low")?]);
    Ok(())
}

async fn listed_tags(shop: &Shop, arn: &str) -> Outcome<Vec<Tag>> {
    Ok(shop.dynamodb.list_tags_of_resource().resource_arn(arn).send().await?.tags.unwrap_or_default())
}

async fn deletion_protection(shop: Shop) -> Outcome {
    let created = shop.create(shop.plain()?.deletion_protection_enabled(true)).await?;
    assert_eq!(created.deletion_protection_enabled, Some(true));
    let delete = shop.dynamodb.delete_table().table_name(&shop.table);
    let sentence = "Resource cannot be deleted as it is currently protected against deletion. Disable deletion \
                    protection first.";
    rejected(delete.clone().send().await, "ValidationException", sentence);
    shop.dynamodb.update_table().table_name(&shop.table).deletion_protection_enabled(false).send().await?;
    delete.send().await?;
    shop.wait_until_gone().await
}

async fn delete_table(shop: Shop) -> Outcome {
    shop.create_plain().await?;
    let deleted = shop.dynamodb.delete_table().table_name(&shop.table).send().await?;
    let deleted = deleted.table_description.ok_or("no description")?;
    assert_eq!(deleted.table_name(), Some(shop.table.as_str()));
    assert_eq!(deleted.table_status(), Some(&TableStatus::Deleting));
    shop.wait_until_gone().await?;
    let describe = shop.dynamodb.describe_table().table_name(&shop.table).send().await;
    assert!(rejected(describe, "ResourceNotFoundException", "").is_resource_not_found_exception());
    let listed = shop.dynamodb.list_tables().into_paginator().items().send().collect::<Result<Vec<_>, _>>().await?;
    assert!(!listed.contains(&shop.table));
    Ok(())
}
