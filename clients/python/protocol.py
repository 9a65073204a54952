"""What passes between client and server beneath the API."""

import threading
import zlib

import wrong_checksum
from botocore.config import Config
from botocore.exceptions import ChecksumError
from scenario import SESSION, check, create_plain, dynamodb, scenario


@scenario
def checksum(table):
    create_plain(table)
    dynamodb.put_item(TableName=table, Item={"id": {"S": "a"}, "note": {"S": "x" * 10_000}})
    seen = []

    def compare(http_response, **_):
        seen.append((int(http_response.headers["x-amz-crc32"]), zlib.crc32(http_response.content)))

    sent = SESSION.client("dynamodb", endpoint_url=dynamodb.meta.endpoint_url)
    sent.meta.events.register(
        "needs-retry.dynamodb", lambda response, **_: response and compare(response[0]) or None
    )
    sent.get_item(TableName=table, Key={"id": {"S": "a"}})
    sent.list_tables()
    try:
        sent.describe_table(TableName="missing_table_of_checksum")
    except sent.exceptions.ResourceNotFoundException:
        pass
    check(len(seen), 3)
    assert all(told == found for told, found in seen), seen

    proxy = wrong_checksum.start()
    threading.Thread(target=proxy.serve_forever, daemon=True).start()
    deceived = SESSION.client(
        "dynamodb",
        endpoint_url=f"http://127.0.0.1:{proxy.server_port}",
        config=Config(retries={"mode": "legacy", "max_attempts": 2}),
    )
    try:
        deceived.get_item(TableName=table, Key={"id": {"S": "a"}})
        raise AssertionError("a wrong checksum was not noticed")
    except ChecksumError:
        check(wrong_checksum.Handler.served, 3)
    finally:
        proxy.shutdown()
