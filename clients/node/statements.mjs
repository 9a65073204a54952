// PartiQL and streams.
import assert from "node:assert/strict";

import {
  DescribeStreamCommand, GetRecordsCommand, GetShardIteratorCommand, ListStreamsCommand,
} from "@aws-sdk/client-dynamodb-streams";

import {
  check, createOrders, createPlain, dynamodb, fillOrders, key, order, pause, range, reader, rejects,
} from "./scenario.mjs";

async function streams(table) {
  const specification = { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" };
  const { LatestStreamArn: arn } = await createPlain(table, { StreamSpecification: specification });
  const first = { id: { S: "a" }, n: { N: "1" } };
  const second = { id: { S: "a" }, n: { N: "2" } };
  await dynamodb.putItem({ TableName: table, Item: first });
  await dynamodb.putItem({ TableName: table, Item: first }); // changes nothing, so leaves no record
  await dynamodb.putItem({ TableName: table, Item: second });
  await dynamodb.deleteItem({ TableName: table, Key: { id: { S: "a" } } });
  await dynamodb.putItem({ TableName: table, Item: { id: { S: "b" } } });

  const listed = (await reader.send(new ListStreamsCommand({ TableName: table }))).Streams;
  check(listed.map((stream) => stream.StreamArn), [arn]);
  const stream = (await reader.send(new DescribeStreamCommand({ StreamArn: arn }))).StreamDescription;
  check([stream.StreamStatus, stream.StreamViewType], ["ENABLED", "NEW_AND_OLD_IMAGES"]);
  const records = await readStream(arn, stream.Shards, 4);
  const of = (id) => records.filter((record) => record.dynamodb.Keys.id.S === id);
  const images = [...of("a"), ...of("b")].map(({ eventName, dynamodb }) => [
    eventName, dynamodb.OldImage, dynamodb.NewImage,
  ]);
  check(images, [
    ["INSERT", undefined, first],
    ["MODIFY", first, second],
    ["REMOVE", second, undefined],
    ["INSERT", undefined, { id: { S: "b" } }],
  ]);
  const [one, two, three] = of("a").map((record) => BigInt(record.dynamodb.SequenceNumber));
  assert.ok(one < two && two < three);
}

/** Reads every shard from its beginning until that many records are there. */
async function readStream(arn, shards, expected) {
  let iterators = [];
  for (const { ShardId } of shards) {
    const request = { StreamArn: arn, ShardId, ShardIteratorType: "TRIM_HORIZON" };
    iterators.push((await reader.send(new GetShardIteratorCommand(request))).ShardIterator);
  }
  const records = [];
  for (let round = 0; round < 100 && records.length < expected; round++) {
    const following = [];
    for (const ShardIterator of iterators) {
      const answer = await reader.send(new GetRecordsCommand({ ShardIterator, Limit: 2 }));
      records.push(...answer.Records);
      if (answer.NextShardIterator) following.push(answer.NextShardIterator);
    }
    iterators = following;
    await pause(20);
  }
  check(records.length, expected);
  return records;
}

const execute = (Statement, ...Parameters) =>
  dynamodb.executeStatement({ Statement, ...(Parameters.length > 0 && { Parameters }) });

async function partiql(table) {
  await createOrders(table);
  await execute(
    `INSERT INTO "${table}" VALUE {'customer': ?, 'nr': ?, 'phase': 'open', 'amount': 10}`,
    { S: "ada" },
    { N: "1" },
  );
  const stored = { ...key("ada", 1), phase: { S: "open" }, amount: { N: "10" } };
  const again = execute(`INSERT INTO "${table}" VALUE {'customer': 'ada', 'nr': 1}`);
  await rejects(again, "DuplicateItemException", "Duplicate primary key exists in table");
  const found = await execute(`SELECT * FROM "${table}" WHERE customer = ? AND nr = ?`, { S: "ada" }, { N: "1" });
  check(found.Items, [stored]);
  const indexed = await execute(
    `SELECT amount FROM "${table}"."by_phase" WHERE phase = 'open' AND amount > ?`,
    { N: "5" },
  );
  check(indexed.Items, [{ amount: { N: "10" } }]);
  const updated = await execute(
    `UPDATE "${table}" SET amount = amount + ? SET phase = 'paid' WHERE customer = 'ada' AND nr = 1
      RETURNING ALL NEW *`,
    { N: "5" },
  );
  check(updated.Items, [{ ...stored, phase: { S: "paid" }, amount: { N: "15" } }]);
  await execute(`DELETE FROM "${table}" WHERE customer = 'ada' AND nr = 1`);
  check((await execute(`SELECT * FROM "${table}" WHERE customer = 'ada'`)).Items, []);
}

async function partiql_pages(table) {
  await createOrders(table);
  await fillOrders(table);
  const found = [];
  let NextToken;
  for (let round = 0; round < 10; round++) {
    const Statement = `SELECT nr FROM "${table}" WHERE customer = 'ada'`;
    const answer = await dynamodb.executeStatement({ Statement, Limit: 7, NextToken });
    found.push(...answer.Items.map((item) => Number(item.nr.N)));
    NextToken = answer.NextToken;
    if (NextToken === undefined) break;
  }
  check(found, range(1, 30));
}

async function partiql_batch(table) {
  await createOrders(table);
  await dynamodb.putItem({ TableName: table, Item: order("ada", 1) });
  const insert = (who) => ({ Statement: `INSERT INTO "${table}" VALUE {'customer': '${who}', 'nr': 1}` });
  const inserted = await dynamodb.batchExecuteStatement({ Statements: [insert("bob"), insert("ada")] });
  check(inserted.Responses.map((answer) => answer.Error?.Code), [undefined, "DuplicateItem"]);
  const select = (who) => ({
    Statement: `SELECT nr FROM "${table}" WHERE customer = ? AND nr = 1`,
    Parameters: [{ S: who }],
  });
  const selected = await dynamodb.batchExecuteStatement({ Statements: ["ada", "bob", "eve"].map(select) });
  check(selected.Responses.map((answer) => answer.Item), [{ nr: { N: "1" } }, { nr: { N: "1" } }, undefined]);
}

async function partiql_transaction(table) {
  await createOrders(table);
  await dynamodb.putItem({ TableName: table, Item: order("ada", 1) });
  const transaction = (...statements) =>
    dynamodb.executeTransaction({ TransactStatements: statements.map((Statement) => ({ Statement })) });
  const insert = `INSERT INTO "${table}" VALUE {'customer': 'bob', 'nr': 1}`;
  const update = (who) => `UPDATE "${table}" SET amount = 1 WHERE customer = '${who}' AND nr = 1`;
  const error = await rejects(transaction(insert, update("eve")), "TransactionCanceledException");
  check(error.CancellationReasons.map((reason) => reason.Code), ["None", "ConditionalCheckFailed"]);
  check((await dynamodb.getItem({ TableName: table, Key: key("bob", 1) })).Item, undefined);
  await transaction(insert, update("ada"));
  const answers = await transaction(
    `SELECT * FROM "${table}" WHERE customer = 'bob' AND nr = 1`,
    `SELECT amount FROM "${table}" WHERE customer = 'ada' AND nr = 1`,
  );
  check(answers.Responses.map((answer) => answer.Item), [key("bob", 1), { amount: { N: "1" } }]);
}

export const scenarios = { streams, partiql, partiql_pages, partiql_batch, partiql_transaction };
