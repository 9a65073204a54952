"""Query and Scan with the paginators."""

from concurrent.futures import ThreadPoolExecutor

from scenario import check, create_orders, create_plain, dynamodb, fill_orders, numbers, scenario, write_batch


def query(table, condition, values, page_size=None, **more):
    """All pages of a query."""
    return list(
        dynamodb.get_paginator("query").paginate(
            TableName=table,
            KeyConditionExpression=condition,
            ExpressionAttributeValues=values,
            PaginationConfig={"PageSize": page_size},
            **more,
        )
    )


def items(pages):
    return [item for page in pages for item in page["Items"]]


@scenario
def query_pages(table):
    create_orders(table)
    fill_orders(table)
    pages = query(table, "customer = :who", {":who": {"S": "ada"}}, 7)
    check([page["Count"] for page in pages], [7, 7, 7, 7, 2])
    check(numbers(items(pages)), list(range(1, 31)))


@scenario
def query_index(table):
    create_orders(table)
    fill_orders(table)
    pages = query(table, "phase = :paid", {":paid": {"S": "paid"}}, 6, IndexName="by_phase")
    check([page["Count"] for page in pages], [6, 6, 6, 2])
    amounts = numbers(items(pages), "amount")
    check(amounts, sorted([nr * 10 for nr in range(2, 31, 2)] + [nr * 10 for nr in range(2, 11, 2)]))
    pages = query(
        table,
        "customer = :who AND placed BETWEEN :from AND :to",
        {":who": {"S": "ada"}, ":from": {"S": "2026-01-10"}, ":to": {"S": "2026-01-19"}},
        4,
        IndexName="by_day",
    )
    check(numbers(items(pages)), list(range(10, 20)))
    check(set(items(pages)[0]), {"customer", "nr", "placed", "amount"})


@scenario
def query_backward(table):
    create_orders(table)
    fill_orders(table)
    pages = query(
        table,
        "customer = :who AND nr > :nr",
        {":who": {"S": "ada"}, ":nr": {"N": "10"}, ":open": {"S": "open"}},
        8,
        ScanIndexForward=False,
        FilterExpression="phase = :open",
        ProjectionExpression="nr, #amount",
        ExpressionAttributeNames={"#amount": "amount"},
    )
    check([(page["Count"], page["ScannedCount"]) for page in pages], [(4, 8), (4, 8), (2, 4)])
    expected = [{"nr": {"N": str(nr)}, "amount": {"N": str(nr * 10)}} for nr in range(29, 10, -2)]
    check(items(pages), expected)


@scenario
def scan_pages(table):
    create_orders(table)
    fill_orders(table)
    pages = list(dynamodb.get_paginator("scan").paginate(TableName=table, PaginationConfig={"PageSize": 9}))
    check([page["Count"] for page in pages], [9, 9, 9, 9, 4])
    found = sorted((item["customer"]["S"], int(item["nr"]["N"])) for item in items(pages))
    check(found, [("ada", nr) for nr in range(1, 31)] + [("bob", nr) for nr in range(1, 11)])
    check(dynamodb.scan(TableName=table, Select="COUNT")["Count"], 40)


@scenario
def scan_segments(table):
    create_plain(table)
    for start in range(0, 100, 25):
        write_batch(table, [{"PutRequest": {"Item": {"id": {"S": f"s{nr}"}}}} for nr in range(start, start + 25)])

    def segment(nr):
        pages = dynamodb.get_paginator("scan").paginate(
            TableName=table, Segment=nr, TotalSegments=4, PaginationConfig={"PageSize": 10}
        )
        return [item["id"]["S"] for page in pages for item in page["Items"]]

    with ThreadPoolExecutor(4) as readers:
        segments = list(readers.map(segment, range(4)))
    assert all(segments), segments
    check(sorted(sum(segments, [])), sorted(f"s{nr}" for nr in range(100)))


@scenario
def large_pages(table):
    create_orders(table)
    write_large(table)
    pages = query(table, "customer = :who", {":who": {"S": "big"}})
    # A page ends with the item that crosses 1 MB, here the sixth.
    check([page["Count"] for page in pages], [6] * 16 + [4])
    check(numbers(items(pages)), list(range(100)))


def write_large(table):
    """100 items of 180 KB, 25 at a time."""
    for start in range(0, 100, 25):
        puts = [
            {"customer": {"S": "big"}, "nr": {"N": str(nr)}, "note": {"S": "x" * 180_000}}
            for nr in range(start, start + 25)
        ]
        write_batch(table, [{"PutRequest": {"Item": item}} for item in puts])
