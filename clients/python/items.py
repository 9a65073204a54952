"""Single items: values, conditions, updates, races, capacity, wrong input."""

from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal

from boto3.dynamodb.conditions import Attr, Key
from boto3.dynamodb.types import Binary

from scenario import (
    check, create_orders, create_plain, documents, dynamodb, key, order, raises, scenario,
)

LETTERS = "aé漢😀\u0000\n\"\\/\u2028"


@scenario
def ten_types(table):
    create_plain(table)
    item = {
        "id": {"S": "all"},
        "string": {"S": LETTERS},
        "empty_string": {"S": ""},
        "number": {"N": "-12.5"},
        "binary": {"B": bytes(range(256))},
        "empty_binary": {"B": b""},
        "yes": {"BOOL": True},
        "no": {"BOOL": False},
        "null": {"NULL": True},
        "strings": {"SS": ["a", "b", LETTERS]},
        "numbers": {"NS": ["-1", "0", "2.5"]},
        "binaries": {"BS": [b"\x00", b"\xff\xfe"]},
        "list": {"L": [{"N": "1"}, {"S": ""}, {"L": []}, {"M": {}}, {"NULL": True}]},
        "map": {"M": {LETTERS: {"M": {"deep": {"L": [{"B": b"\x01"}, {"SS": ["x"]}]}}}}},
    }
    dynamodb.put_item(TableName=table, Item=item)
    found = dynamodb.get_item(TableName=table, Key={"id": {"S": "all"}}, ConsistentRead=True)["Item"]
    for name, of in (("strings", "SS"), ("numbers", "NS"), ("binaries", "BS")):
        check(sorted(found[name].pop(of)), sorted(item[name].pop(of)))
    check(found, item)


@scenario
def exact_numbers(table):
    create_plain(table)
    cases = {
        "12345678901234567890123456789012345678": "12345678901234567890123456789012345678",
        "-0.12345678901234567890123456789012345678": "-0.12345678901234567890123456789012345678",
        "9.9999999999999999999999999999999999999E125": "99999999999999999999999999999999999999" + "0" * 88,
        "-1E-130": "-0." + "0" * 129 + "1",
        "007.500": "7.5",
        "1e3": "1000",
        "-0": "0",
        "0.1": "0.1",
    }
    for written, stored in cases.items():
        dynamodb.put_item(TableName=table, Item={"id": {"S": "n"}, "n": {"N": written}})
        check(dynamodb.get_item(TableName=table, Key={"id": {"S": "n"}})["Item"]["n"]["N"], stored)
    for too_much, message in {
        "123456789012345678901234567890123456789": "Attempting to store more than 38 significant digits in a Number",
        "1E126": "Number overflow. Attempting to store a number with magnitude larger than supported range",
        "1E-131": "Number underflow. Attempting to store a number with magnitude smaller than supported range",
    }.items():
        with raises("ValidationException", message):
            dynamodb.put_item(TableName=table, Item={"id": {"S": "n"}, "n": {"N": too_much}})


@scenario
def document_client(table):
    create_plain(table)
    orders = documents.Table(table)
    item = {
        "id": "doc",
        "price": Decimal("12345678901234567890123456789012345678"),
        "small": Decimal("0.1"),
        "raw": Binary(b"\x00\x01"),
        "colours": {"red", "green"},
        "sizes": {Decimal(1), Decimal("2.5")},
        "nested": {"list": [1, "two", None, True, {"deep": Decimal("-1")}], "empty": ""},
    }
    orders.put_item(Item=item)
    check(orders.get_item(Key={"id": "doc"})["Item"], item)
    with orders.batch_writer() as batch:
        for nr in range(60):
            batch.put_item(Item={"id": f"b{nr}", "nr": nr})
    found = orders.scan(FilterExpression=Attr("nr").between(10, 19) & Attr("id").begins_with("b"))["Items"]
    check(sorted(int(item["nr"]) for item in found), list(range(10, 20)))
    check(orders.query(KeyConditionExpression=Key("id").eq("b7"))["Items"], [{"id": "b7", "nr": Decimal(7)}])
    updated = orders.update_item(
        Key={"id": "doc"},
        UpdateExpression="SET small = small + :more",
        ExpressionAttributeValues={":more": Decimal("0.2")},
        ReturnValues="UPDATED_NEW",
    )
    check(updated["Attributes"], {"small": Decimal("0.3")})
    orders.wait_until_exists()
    check(orders.table_status, "ACTIVE")


@scenario
def conditional_put(table):
    create_orders(table)
    dynamodb.put_item(
        TableName=table, Item=order("ada", 1), ConditionExpression="attribute_not_exists(customer)"
    )
    with raises("ConditionalCheckFailedException", "The conditional request failed") as seen:
        dynamodb.put_item(
            TableName=table,
            Item=order("ada", 1) | {"amount": {"N": "99"}},
            ConditionExpression="attribute_not_exists(customer) OR amount > :least",
            ExpressionAttributeValues={":least": {"N": "10"}},
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
        )
    check(seen["Item"], order("ada", 1))
    with raises("ConditionalCheckFailedException") as seen:
        dynamodb.delete_item(
            TableName=table,
            Key=key("ada", 1),
            ConditionExpression="phase = :paid",
            ExpressionAttributeValues={":paid": {"S": "paid"}},
        )
    assert "Item" not in seen, seen


@scenario
def update_clauses(table):
    create_plain(table)
    dynamodb.put_item(
        TableName=table,
        Item={
            "id": {"S": "u"},
            "hits": {"N": "1"},
            "list": {"L": [{"S": "a"}, {"S": "b"}, {"S": "c"}]},
            "map": {"M": {"inside": {"M": {"x": {"N": "1"}}}}},
            "colours": {"SS": ["red", "green"]},
            "gone": {"S": "soon"},
        },
    )
    dynamodb.update_item(
        TableName=table,
        Key={"id": {"S": "u"}},
        UpdateExpression=(
            "SET #map.inside.x = #map.inside.x + :two, fresh = if_not_exists(fresh, :zero), "
            "more = list_append(#list, :tail), #list[0] = :first "
            "REMOVE gone, #list[1] ADD hits :two, sizes :sizes DELETE colours :red"
        ),
        ExpressionAttributeNames={"#map": "map", "#list": "list"},
        ExpressionAttributeValues={
            ":two": {"N": "2"},
            ":zero": {"N": "0"},
            ":tail": {"L": [{"S": "d"}]},
            ":first": {"S": "A"},
            ":sizes": {"NS": ["7"]},
            ":red": {"SS": ["red"]},
        },
    )
    found = dynamodb.get_item(TableName=table, Key={"id": {"S": "u"}})["Item"]
    check(
        found,
        {
            "id": {"S": "u"},
            "hits": {"N": "3"},
            "list": {"L": [{"S": "A"}, {"S": "c"}]},
            "map": {"M": {"inside": {"M": {"x": {"N": "3"}}}}},
            "colours": {"SS": ["green"]},
            "fresh": {"N": "0"},
            "more": {"L": [{"S": "a"}, {"S": "b"}, {"S": "c"}, {"S": "d"}]},
            "sizes": {"NS": ["7"]},
        },
    )


@scenario
def update_return_values(table):
    create_plain(table)

    def update(expected, nr):
        answer = dynamodb.update_item(
            TableName=table,
            Key={"id": {"S": "r"}},
            UpdateExpression="SET nr = :nr, kept = if_not_exists(kept, :nr)",
            ExpressionAttributeValues={":nr": {"N": str(nr)}},
            ReturnValues=expected,
        )
        return answer.get("Attributes")

    def values(nr, kept=None):
        return {"nr": {"N": str(nr)}} | ({"kept": {"N": str(kept)}} if kept else {})

    check(update("NONE", 1), None)
    check(update("ALL_OLD", 2), {"id": {"S": "r"}} | values(1, 1))
    check(update("UPDATED_OLD", 3), values(2, 1))
    check(update("ALL_NEW", 4), {"id": {"S": "r"}} | values(4, 1))
    check(update("UPDATED_NEW", 5), values(5, 1))


@scenario
def delete_returns_old(table):
    create_orders(table)
    dynamodb.put_item(TableName=table, Item=order("ada", 1))
    gone = dynamodb.delete_item(TableName=table, Key=key("ada", 1), ReturnValues="ALL_OLD")
    check(gone["Attributes"], order("ada", 1))
    again = dynamodb.delete_item(TableName=table, Key=key("ada", 1), ReturnValues="ALL_OLD")
    assert "Attributes" not in again, again
    assert "Item" not in dynamodb.get_item(TableName=table, Key=key("ada", 1))


@scenario
def optimistic_locking(table):
    create_plain(table)
    dynamodb.put_item(TableName=table, Item={"id": {"S": "v"}, "version": {"N": "0"}})

    def race(version):
        def update(_):
            try:
                dynamodb.update_item(
                    TableName=table,
                    Key={"id": {"S": "v"}},
                    UpdateExpression="SET version = :next",
                    ConditionExpression="version = :seen",
                    ExpressionAttributeValues={":seen": {"N": str(version)}, ":next": {"N": str(version + 1)}},
                )
                return 1
            except dynamodb.exceptions.ConditionalCheckFailedException:
                return 0

        return sum(racers.map(update, range(2)))

    with ThreadPoolExecutor(2) as racers:
        check([race(version) for version in range(10)], [1] * 10)


@scenario
def atomic_counter(table):
    create_plain(table)

    def count(_):
        dynamodb.update_item(
            TableName=table,
            Key={"id": {"S": "c"}},
            UpdateExpression="ADD hits :one",
            ExpressionAttributeValues={":one": {"N": "1"}},
        )

    with ThreadPoolExecutor(8) as callers:
        list(callers.map(count, range(40)))
    check(dynamodb.get_item(TableName=table, Key={"id": {"S": "c"}}, ConsistentRead=True)["Item"]["hits"]["N"], "40")


@scenario
def consumed_capacity(table):
    create_orders(table)
    item = order("ada", 1) | {"note": {"S": "x" * 1500}}
    written = dynamodb.put_item(TableName=table, Item=item, ReturnConsumedCapacity="INDEXES")["ConsumedCapacity"]
    check(written["TableName"], table)
    check(written["CapacityUnits"], 5.0)
    check(written["Table"]["CapacityUnits"], 2.0)
    check(written["GlobalSecondaryIndexes"]["by_phase"]["CapacityUnits"], 2.0)
    check(written["LocalSecondaryIndexes"]["by_day"]["CapacityUnits"], 1.0)
    for consistent, units in ((True, 1.0), (False, 0.5)):
        read = dynamodb.get_item(
            TableName=table, Key=key("ada", 1), ConsistentRead=consistent, ReturnConsumedCapacity="TOTAL"
        )
        check(read["ConsumedCapacity"], {"TableName": table, "CapacityUnits": units})


@scenario
def wrong_input(table):
    create_orders(table)
    with raises("ValidationException", "One or more parameter values were invalid: Missing the key nr in the item"):
        dynamodb.put_item(TableName=table, Item={"customer": {"S": "ada"}})
    with raises(
        "ValidationException",
        "One or more parameter values were invalid: Type mismatch for key nr expected: N actual: S",
    ):
        dynamodb.put_item(TableName=table, Item={"customer": {"S": "ada"}, "nr": {"S": "1"}})
    with raises(
        "ValidationException", "Value provided in ExpressionAttributeNames unused in expressions: keys: {#unused}"
    ):
        dynamodb.put_item(
            TableName=table,
            Item=order("ada", 1),
            ConditionExpression="attribute_not_exists(customer)",
            ExpressionAttributeNames={"#unused": "x"},
        )
    with raises("ValidationException", "Item size has exceeded the maximum allowed size"):
        dynamodb.put_item(TableName=table, Item=order("ada", 1) | {"note": {"S": "x" * 409_600}})
