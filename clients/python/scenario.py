"""What every scenario has at hand: clients, the table of orders, and a way to expect an exception."""

import os
import time
import traceback
from contextlib import contextmanager

import boto3
from botocore.config import Config

ENDPOINT = os.environ["ESPALIER_ENDPOINT"]
SESSION = boto3.Session(aws_access_key_id="client", aws_secret_access_key="secret", region_name="us-east-1")
CONFIG = Config(connect_timeout=5, read_timeout=30, max_pool_connections=16)

dynamodb = SESSION.client("dynamodb", endpoint_url=ENDPOINT, config=CONFIG)
streams = SESSION.client("dynamodbstreams", endpoint_url=ENDPOINT, config=CONFIG)
documents = SESSION.resource("dynamodb", endpoint_url=ENDPOINT, config=CONFIG)

SCENARIOS = {}


def scenario(function):
    """Puts a scenario on the list under its own name; it is given a table name that no other one uses."""
    SCENARIOS[function.__name__] = function
    return function


def run_all():
    """Runs them all and tells of each on a line of its own."""
    for name, function in SCENARIOS.items():
        began = time.monotonic()
        try:
            function(f"python_{name}")
            told = "passed", ""
        except Exception as failure:  # an AssertionError or anything the SDK raises
            place = traceback.extract_tb(failure.__traceback__)[-1]
            told = "failed", f"{type(failure).__name__}: {failure} ({place.name}, line {place.lineno})"
        elapsed_ms = round((time.monotonic() - began) * 1000)
        print(told[0], name, elapsed_ms, told[1].replace("\n", " ").replace("\t", " "), sep="\t", flush=True)


def check(found, expected):
    assert found == expected, f"found {found!r}, expected {expected!r}"


@contextmanager
def raises(name, message=None):
    """Expects the exception that the SDK models under that name; yields a dict that its response is put into."""
    # The service's model has no ValidationException: SDKs give it their general class.
    expected = getattr(dynamodb.exceptions, "ClientError" if name == "ValidationException" else name)
    seen = {}
    try:
        yield seen
    except expected as error:
        check(error.response["Error"]["Code"], name)
        if message is not None:
            check(error.response["Error"]["Message"], message)
        seen.update(error.response)
    else:
        raise AssertionError(f"{name} was not raised")


def orders_definition(table):
    return {
        "TableName": table,
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [
            {"AttributeName": "customer", "AttributeType": "S"},
            {"AttributeName": "nr", "AttributeType": "N"},
            {"AttributeName": "phase", "AttributeType": "S"},
            {"AttributeName": "amount", "AttributeType": "N"},
            {"AttributeName": "placed", "AttributeType": "S"},
        ],
        "KeySchema": [
            {"AttributeName": "customer", "KeyType": "HASH"},
            {"AttributeName": "nr", "KeyType": "RANGE"},
        ],
        "GlobalSecondaryIndexes": [
            {
                "IndexName": "by_phase",
                "KeySchema": [
                    {"AttributeName": "phase", "KeyType": "HASH"},
                    {"AttributeName": "amount", "KeyType": "RANGE"},
                ],
                "Projection": {"ProjectionType": "ALL"},
            }
        ],
        "LocalSecondaryIndexes": [
            {
                "IndexName": "by_day",
                "KeySchema": [
                    {"AttributeName": "customer", "KeyType": "HASH"},
                    {"AttributeName": "placed", "KeyType": "RANGE"},
                ],
                "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["amount"]},
            }
        ],
    }


def create_orders(table):
    dynamodb.create_table(**orders_definition(table))
    dynamodb.get_waiter("table_exists").wait(TableName=table)


def create_plain(table, **more):
    """A table with the partition key `id` (S) alone."""
    created = dynamodb.create_table(
        TableName=table,
        BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[{"AttributeName": "id", "AttributeType": "S"}],
        KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}],
        **more,
    )
    dynamodb.get_waiter("table_exists").wait(TableName=table)
    return created["TableDescription"]


def key(customer, nr):
    return {"customer": {"S": customer}, "nr": {"N": str(nr)}}


def order(customer, nr):
    return key(customer, nr) | {
        "phase": {"S": "open" if nr % 2 else "paid"},
        "amount": {"N": str(nr * 10)},
        "placed": {"S": f"2026-01-{nr:02}"},
    }


def fill_orders(table):
    items = [order("ada", nr) for nr in range(1, 31)] + [order("bob", nr) for nr in range(1, 11)]
    for start in range(0, len(items), 25):
        write_batch(table, [{"PutRequest": {"Item": item}} for item in items[start : start + 25]])


def write_batch(table, requests):
    """One BatchWriteItem, repeated for what was left unprocessed."""
    pending = {table: requests}
    for _ in range(50):
        pending = dynamodb.batch_write_item(RequestItems=pending)["UnprocessedItems"]
        if not pending:
            return
        time.sleep(0.05)
    raise AssertionError("unprocessed items are left after 50 rounds")


def numbers(items, name="nr"):
    return [int(item[name]["N"]) for item in items]
