"""Tables: creating, describing, changing, deleting."""

import time

from scenario import (
    check, create_orders, create_plain, dynamodb, fill_orders, numbers, orders_definition, raises, scenario,
)


@scenario
def create_and_describe(table):
    created = dynamodb.create_table(**orders_definition(table))["TableDescription"]
    check(created["TableStatus"], "CREATING")
    dynamodb.get_waiter("table_exists").wait(TableName=table)
    found = dynamodb.describe_table(TableName=table)["Table"]
    check(found["TableStatus"], "ACTIVE")
    check(found["KeySchema"], orders_definition(table)["KeySchema"])
    attributes = {one["AttributeName"]: one["AttributeType"] for one in found["AttributeDefinitions"]}
    check(attributes, {"customer": "S", "nr": "N", "phase": "S", "amount": "N", "placed": "S"})
    check(found["ItemCount"], 0)
    check(found["BillingModeSummary"]["BillingMode"], "PAY_PER_REQUEST")
    check(found["TableArn"], f"arn:aws:dynamodb:us-east-1:{found['TableArn'].split(':')[4]}:table/{table}")
    assert abs(found["CreationDateTime"].timestamp() - time.time()) < 600, found["CreationDateTime"]
    index = found["GlobalSecondaryIndexes"][0]
    check((index["IndexName"], index["IndexStatus"]), ("by_phase", "ACTIVE"))
    check(index["IndexArn"], f"{found['TableArn']}/index/by_phase")
    local = found["LocalSecondaryIndexes"][0]
    check(local["IndexName"], "by_day")
    check(local["Projection"], {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["amount"]})


@scenario
def list_tables_pages(table):
    expected = [f"{table}_{letter}" for letter in "abcdefg"]
    for name in expected:
        create_plain(name)
    pages = list(dynamodb.get_paginator("list_tables").paginate(PaginationConfig={"PageSize": 3}))
    assert all(len(page["TableNames"]) == 3 for page in pages[:-1]), pages
    assert len(pages) >= 3, pages
    listed = [name for page in pages for name in page["TableNames"]]
    check([name for name in listed if name.startswith(f"{table}_")], expected)
    check(listed, sorted(set(listed)))


@scenario
def create_twice(table):
    create_plain(table)
    with raises("ResourceInUseException", f"Table already exists: {table}"):
        create_plain(table)


@scenario
def missing_table(table):
    with raises("ResourceNotFoundException", "Requested resource not found"):
        dynamodb.get_item(TableName=table, Key={"id": {"S": "a"}})
    with raises("ResourceNotFoundException", f"Requested resource not found: Table: {table} not found"):
        dynamodb.describe_table(TableName=table)


@scenario
def add_and_remove_index(table):
    create_orders(table)
    fill_orders(table)
    dynamodb.update_table(
        TableName=table,
        AttributeDefinitions=orders_definition(table)["AttributeDefinitions"],
        GlobalSecondaryIndexUpdates=[
            {
                "Create": {
                    "IndexName": "by_placed",
                    "KeySchema": [{"AttributeName": "placed", "KeyType": "HASH"}],
                    "Projection": {"ProjectionType": "KEYS_ONLY"},
                }
            }
        ],
    )
    wait_for_index(table, "by_placed", "ACTIVE")
    found = dynamodb.query(
        TableName=table,
        IndexName="by_placed",
        KeyConditionExpression="placed = :day",
        ExpressionAttributeValues={":day": {"S": "2026-01-07"}},
    )["Items"]
    check(sorted(item["customer"]["S"] for item in found), ["ada", "bob"])
    check(numbers(found), [7, 7])
    check(set(found[0]), {"customer", "nr", "placed"})
    dynamodb.update_table(TableName=table, GlobalSecondaryIndexUpdates=[{"Delete": {"IndexName": "by_placed"}}])
    wait_for_index(table, "by_placed", None)
    with raises("ValidationException", "The table does not have the specified index: by_placed"):
        dynamodb.query(
            TableName=table,
            IndexName="by_placed",
            KeyConditionExpression="placed = :day",
            ExpressionAttributeValues={":day": {"S": "2026-01-07"}},
        )


def wait_for_index(table, name, status):
    for _ in range(200):
        found = dynamodb.describe_table(TableName=table)["Table"].get("GlobalSecondaryIndexes", [])
        statuses = {index["IndexName"]: index["IndexStatus"] for index in found}
        if statuses.get(name) == status:
            return
        time.sleep(0.05)
    raise AssertionError(f"{name} did not become {status}: {statuses}")


@scenario
def time_to_live(table):
    create_plain(table)
    check(dynamodb.describe_time_to_live(TableName=table)["TimeToLiveDescription"]["TimeToLiveStatus"], "DISABLED")
    wanted = {"Enabled": True, "AttributeName": "expires"}
    changed = dynamodb.update_time_to_live(TableName=table, TimeToLiveSpecification=wanted)
    check(changed["TimeToLiveSpecification"], wanted)
    told = dynamodb.describe_time_to_live(TableName=table)["TimeToLiveDescription"]
    check(told, {"TimeToLiveStatus": "ENABLED", "AttributeName": "expires"})
    with raises("ValidationException", "TimeToLive is already enabled"):
        dynamodb.update_time_to_live(TableName=table, TimeToLiveSpecification=wanted)


@scenario
def tags(table):
    arn = create_plain(table, Tags=[{"Key": "team", "Value": "garden"}])["TableArn"]
    dynamodb.tag_resource(ResourceArn=arn, Tags=[{"Key": "cost", "Value": "low"}, {"Key": "team", "Value": "fruit"}])
    check(listed_tags(arn), {"team": "fruit", "cost": "low"})
    dynamodb.untag_resource(ResourceArn=arn, TagKeys=["team"])
    check(listed_tags(arn), {"cost": "low"})


def listed_tags(arn):
    pages = dynamodb.get_paginator("list_tags_of_resource").paginate(ResourceArn=arn)
    return {tag["Key"]: tag["Value"] for page in pages for tag in page["Tags"]}


@scenario
def deletion_protection(table):
    check(create_plain(table, DeletionProtectionEnabled=True)["DeletionProtectionEnabled"], True)
    with raises(
        "ValidationException",
        "Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.",
    ):
        dynamodb.delete_table(TableName=table)
    dynamodb.update_table(TableName=table, DeletionProtectionEnabled=False)
    dynamodb.delete_table(TableName=table)
    dynamodb.get_waiter("table_not_exists").wait(TableName=table)


@scenario
def delete_table(table):
    create_plain(table)
    deleted = dynamodb.delete_table(TableName=table)["TableDescription"]
    check((deleted["TableName"], deleted["TableStatus"]), (table, "DELETING"))
    dynamodb.get_waiter("table_not_exists").wait(TableName=table)
    with raises("ResourceNotFoundException"):
        dynamodb.describe_table(TableName=table)
    pages = dynamodb.get_paginator("list_tables").paginate()
    assert table not in [name for page in pages for name in page["TableNames"]]
