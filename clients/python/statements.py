"""PartiQL and streams."""

import time

from scenario import check, create_orders, create_plain, dynamodb, fill_orders, key, order, raises, scenario
from scenario import streams as reader


@scenario
def streams(table):
    described = create_plain(
        table, StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"}
    )
    arn = described["LatestStreamArn"]
    first, second = {"id": {"S": "a"}, "n": {"N": "1"}}, {"id": {"S": "a"}, "n": {"N": "2"}}
    dynamodb.put_item(TableName=table, Item=first)
    dynamodb.put_item(TableName=table, Item=first)  # changes nothing, so leaves no record
    dynamodb.put_item(TableName=table, Item=second)
    dynamodb.delete_item(TableName=table, Key={"id": {"S": "a"}})
    dynamodb.put_item(TableName=table, Item={"id": {"S": "b"}})

    listed = reader.list_streams(TableName=table)["Streams"]
    check([stream["StreamArn"] for stream in listed], [arn])
    stream = reader.describe_stream(StreamArn=arn)["StreamDescription"]
    check((stream["StreamStatus"], stream["StreamViewType"]), ("ENABLED", "NEW_AND_OLD_IMAGES"))
    records = read_stream(arn, stream["Shards"], 4)
    images = [
        (record["eventName"], record["dynamodb"].get("OldImage"), record["dynamodb"].get("NewImage"))
        for record in sorted(records, key=lambda record: record["dynamodb"]["Keys"]["id"]["S"])
    ]
    check(
        images,
        [
            ("INSERT", None, first),
            ("MODIFY", first, second),
            ("REMOVE", second, None),
            ("INSERT", None, {"id": {"S": "b"}}),
        ],
    )
    changes = [record["dynamodb"] for record in records]
    sequence = [int(change["SequenceNumber"]) for change in changes if change["Keys"]["id"]["S"] == "a"]
    check(sequence, sorted(sequence))


def read_stream(arn, shards, expected):
    """Reads every shard from its beginning until that many records are there."""
    iterators = [
        reader.get_shard_iterator(StreamArn=arn, ShardId=shard["ShardId"], ShardIteratorType="TRIM_HORIZON")
        for shard in shards
    ]
    iterators = [answer["ShardIterator"] for answer in iterators]
    records = []
    for _ in range(100):
        following = []
        for iterator in iterators:
            answer = reader.get_records(ShardIterator=iterator, Limit=2)
            records += answer["Records"]
            following.append(answer.get("NextShardIterator"))
        iterators = [iterator for iterator in following if iterator]
        if len(records) >= expected:
            break
        time.sleep(0.02)
    check(len(records), expected)
    return records


def execute(statement, *parameters, **more):
    given = {"Parameters": list(parameters)} if parameters else {}
    return dynamodb.execute_statement(Statement=statement, **given, **more)


@scenario
def partiql(table):
    create_orders(table)
    execute(
        f"INSERT INTO \"{table}\" VALUE {{'customer': ?, 'nr': ?, 'phase': 'open', 'amount': 10}}",
        {"S": "ada"},
        {"N": "1"},
    )
    stored = key("ada", 1) | {"phase": {"S": "open"}, "amount": {"N": "10"}}
    with raises("DuplicateItemException", "Duplicate primary key exists in table"):
        execute(f"INSERT INTO \"{table}\" VALUE {{'customer': 'ada', 'nr': 1}}")
    found = execute(f'SELECT * FROM "{table}" WHERE customer = ? AND nr = ?', {"S": "ada"}, {"N": "1"})
    check(found["Items"], [stored])
    found = execute(f'SELECT amount FROM "{table}"."by_phase" WHERE phase = \'open\' AND amount > ?', {"N": "5"})
    check(found["Items"], [{"amount": {"N": "10"}}])
    updated = execute(
        f"UPDATE \"{table}\" SET amount = amount + ? SET phase = 'paid' WHERE customer = 'ada' AND nr = 1"
        " RETURNING ALL NEW *",
        {"N": "5"},
    )
    check(updated["Items"], [stored | {"phase": {"S": "paid"}, "amount": {"N": "15"}}])
    execute(f"DELETE FROM \"{table}\" WHERE customer = 'ada' AND nr = 1")
    check(execute(f"SELECT * FROM \"{table}\" WHERE customer = 'ada'")["Items"], [])


@scenario
def partiql_pages(table):
    create_orders(table)
    fill_orders(table)
    found, token = [], {}
    for _ in range(10):
        answer = execute(f"SELECT nr FROM \"{table}\" WHERE customer = 'ada'", Limit=7, **token)
        found += [int(item["nr"]["N"]) for item in answer["Items"]]
        if "NextToken" not in answer:
            break
        token = {"NextToken": answer["NextToken"]}
    check(found, list(range(1, 31)))


@scenario
def partiql_batch(table):
    create_orders(table)
    dynamodb.put_item(TableName=table, Item=order("ada", 1))
    answers = dynamodb.batch_execute_statement(
        Statements=[
            {"Statement": f"INSERT INTO \"{table}\" VALUE {{'customer': 'bob', 'nr': 1}}"},
            {"Statement": f"INSERT INTO \"{table}\" VALUE {{'customer': 'ada', 'nr': 1}}"},
        ]
    )["Responses"]
    assert "Error" not in answers[0], answers
    check(answers[1]["Error"]["Code"], "DuplicateItem")
    answers = dynamodb.batch_execute_statement(
        Statements=[
            {"Statement": f"SELECT nr FROM \"{table}\" WHERE customer = ? AND nr = 1", "Parameters": [{"S": who}]}
            for who in ("ada", "bob", "eve")
        ]
    )["Responses"]
    check([answer.get("Item") for answer in answers], [{"nr": {"N": "1"}}, {"nr": {"N": "1"}}, None])


@scenario
def partiql_transaction(table):
    create_orders(table)
    dynamodb.put_item(TableName=table, Item=order("ada", 1))

    def transaction(*statements):
        return dynamodb.execute_transaction(TransactStatements=[{"Statement": statement} for statement in statements])

    insert = f"INSERT INTO \"{table}\" VALUE {{'customer': 'bob', 'nr': 1}}"
    with raises("TransactionCanceledException") as seen:
        transaction(insert, f"UPDATE \"{table}\" SET amount = 1 WHERE customer = 'eve' AND nr = 1")
    check([reason["Code"] for reason in seen["CancellationReasons"]], ["None", "ConditionalCheckFailed"])
    assert "Item" not in dynamodb.get_item(TableName=table, Key=key("bob", 1))
    transaction(insert, f"UPDATE \"{table}\" SET amount = 1 WHERE customer = 'ada' AND nr = 1")
    answers = transaction(
        f"SELECT * FROM \"{table}\" WHERE customer = 'bob' AND nr = 1",
        f"SELECT amount FROM \"{table}\" WHERE customer = 'ada' AND nr = 1",
    )["Responses"]
    check(answers, [{"Item": key("bob", 1)}, {"Item": {"amount": {"N": "1"}}}])
