"""Batches and transactions."""

import time

from reads import write_large
from scenario import check, create_orders, create_plain, dynamodb, key, order, raises, scenario, write_batch


@scenario
def batch_write(table):
    create_orders(table)
    write_batch(table, [{"PutRequest": {"Item": order("ada", nr)}} for nr in range(1, 26)])
    check(dynamodb.scan(TableName=table, Select="COUNT")["Count"], 25)
    mixed = [{"DeleteRequest": {"Key": key("ada", nr)}} for nr in range(1, 13)]
    mixed += [{"PutRequest": {"Item": order("bob", nr)}} for nr in range(1, 14)]
    write_batch(table, mixed)
    check(dynamodb.scan(TableName=table, Select="COUNT")["Count"], 26)
    with raises("ValidationException"):
        dynamodb.batch_write_item(
            RequestItems={table: [{"PutRequest": {"Item": order("eve", nr)}} for nr in range(26)]}
        )
    check(dynamodb.scan(TableName=table, Select="COUNT")["Count"], 26)


@scenario
def batch_get(table):
    create_orders(table)
    write_large(table)
    pending = {table: {"Keys": [key("big", nr) for nr in range(100)], "ConsistentRead": True}}
    found, rounds = [], 0
    while pending:
        answer = dynamodb.batch_get_item(RequestItems=pending)
        found += answer["Responses"][table]
        pending = answer["UnprocessedKeys"]
        rounds += 1
        assert rounds < 20, "the loop over unprocessed keys does not end"
        time.sleep(0.01)
    check(sorted(int(item["nr"]["N"]) for item in found), list(range(100)))
    check({len(item["note"]["S"]) for item in found}, {180_000})
    assert rounds > 1, "18 MB came in one answer"


@scenario
def transact_write_and_get(table):
    create_orders(table)
    for nr in (1, 2, 3):
        dynamodb.put_item(TableName=table, Item=order("ada", nr))
    dynamodb.transact_write_items(
        TransactItems=[
            {"Put": {"TableName": table, "Item": order("bob", 1)}},
            {
                "Update": {
                    "TableName": table,
                    "Key": key("ada", 1),
                    "UpdateExpression": "SET phase = :paid",
                    "ExpressionAttributeValues": {":paid": {"S": "paid"}},
                }
            },
            {"Delete": {"TableName": table, "Key": key("ada", 2)}},
            {
                "ConditionCheck": {
                    "TableName": table,
                    "Key": key("ada", 3),
                    "ConditionExpression": "attribute_exists(customer)",
                }
            },
        ]
    )
    gets = [key("bob", 1), key("ada", 1), key("ada", 2), key("ada", 3)]
    answers = dynamodb.transact_get_items(
        TransactItems=[{"Get": {"TableName": table, "Key": wanted}} for wanted in gets]
    )["Responses"]
    changed = order("ada", 1) | {"phase": {"S": "paid"}}
    check(answers, [{"Item": order("bob", 1)}, {"Item": changed}, {}, {"Item": order("ada", 3)}])


@scenario
def transact_cancelled(table):
    create_orders(table)
    dynamodb.put_item(TableName=table, Item=order("ada", 1))
    sentence = (
        "Transaction cancelled, please refer cancellation reasons for specific reasons [None, ConditionalCheckFailed]"
    )
    with raises("TransactionCanceledException", sentence) as seen:
        dynamodb.transact_write_items(
            TransactItems=[
                {"Put": {"TableName": table, "Item": order("bob", 1)}},
                {
                    "Put": {
                        "TableName": table,
                        "Item": order("ada", 1),
                        "ConditionExpression": "attribute_not_exists(customer)",
                        "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
                    }
                },
            ]
        )
    failed = {"Code": "ConditionalCheckFailed", "Message": "The conditional request failed", "Item": order("ada", 1)}
    check(seen["CancellationReasons"], [{"Code": "None"}, failed])
    assert "Item" not in dynamodb.get_item(TableName=table, Key=key("bob", 1))


@scenario
def transact_token(table):
    create_plain(table)

    def add(amount):
        dynamodb.transact_write_items(
            ClientRequestToken=f"{table}_token"[:36],
            TransactItems=[
                {
                    "Update": {
                        "TableName": table,
                        "Key": {"id": {"S": "t"}},
                        "UpdateExpression": "ADD hits :n",
                        "ExpressionAttributeValues": {":n": {"N": str(amount)}},
                    }
                }
            ],
        )

    add(1)
    add(1)
    check(dynamodb.get_item(TableName=table, Key={"id": {"S": "t"}})["Item"]["hits"]["N"], "1")
    with raises("IdempotentParameterMismatchException"):
        add(2)
