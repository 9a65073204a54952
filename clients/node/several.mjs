// Batches and transactions.
import assert from "node:assert/strict";

import { writeLarge } from "./reads.mjs";
import {
  check, createOrders, createPlain, dynamodb, key, order, pause, range, rejects, writeBatch,
} from "./scenario.mjs";

async function batch_write(table) {
  await createOrders(table);
  const puts = (who, from, to) => range(from, to).map((nr) => ({ PutRequest: { Item: order(who, nr) } }));
  const count = async () => (await dynamodb.scan({ TableName: table, Select: "COUNT" })).Count;
  await writeBatch(table, puts("ada", 1, 25));
  check(await count(), 25);
  const deletes = range(1, 12).map((nr) => ({ DeleteRequest: { Key: key("ada", nr) } }));
  await writeBatch(table, [...deletes, ...puts("bob", 1, 13)]);
  check(await count(), 26);
  await rejects(dynamodb.batchWriteItem({ RequestItems: { [table]: puts("eve", 1, 26) } }), "ValidationException");
  check(await count(), 26);
}

async function batch_get(table) {
  await createOrders(table);
  await writeLarge(table);
  let pending = { [table]: { Keys: range(0, 99).map((nr) => key("big", nr)), ConsistentRead: true } };
  const found = [];
  let rounds = 0;
  while (Object.keys(pending).length > 0) {
    const answer = await dynamodb.batchGetItem({ RequestItems: pending });
    found.push(...answer.Responses[table]);
    pending = answer.UnprocessedKeys;
    rounds += 1;
    assert.ok(rounds < 20, "the loop over unprocessed keys does not end");
    await pause(10);
  }
  check(found.map((item) => Number(item.nr.N)).sort((a, b) => a - b), range(0, 99));
  check([...new Set(found.map((item) => item.note.S.length))], [180_000]);
  assert.ok(rounds > 1, "18 MB came in one answer");
}

async function transact_write_and_get(table) {
  await createOrders(table);
  for (const nr of [1, 2, 3]) await dynamodb.putItem({ TableName: table, Item: order("ada", nr) });
  await dynamodb.transactWriteItems({
    TransactItems: [
      { Put: { TableName: table, Item: order("bob", 1) } },
      {
        Update: {
          TableName: table,
          Key: key("ada", 1),
          UpdateExpression: "SET phase = :paid",
          ExpressionAttributeValues: { ":paid": { S: "paid" } },
        },
      },
      { Delete: { TableName: table, Key: key("ada", 2) } },
      {
        ConditionCheck: {
          TableName: table,
          Key: key("ada", 3),
          ConditionExpression: "attribute_exists(customer)",
        },
      },
    ],
  });
  const wanted = [key("bob", 1), key("ada", 1), key("ada", 2), key("ada", 3)];
  const gets = wanted.map((Key) => ({ Get: { TableName: table, Key } }));
  const answers = (await dynamodb.transactGetItems({ TransactItems: gets })).Responses;
  const changed = { ...order("ada", 1), phase: { S: "paid" } };
  check(answers.map((answer) => answer.Item), [order("bob", 1), changed, undefined, order("ada", 3)]);
}

async function transact_cancelled(table) {
  await createOrders(table);
  await dynamodb.putItem({ TableName: table, Item: order("ada", 1) });
  const put = {
    TableName: table,
    Item: order("ada", 1),
    ConditionExpression: "attribute_not_exists(customer)",
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  };
  const error = await rejects(
    dynamodb.transactWriteItems({
      TransactItems: [{ Put: { TableName: table, Item: order("bob", 1) } }, { Put: put }],
    }),
    "TransactionCanceledException",
    "Transaction cancelled, please refer cancellation reasons for specific reasons [None, ConditionalCheckFailed]",
  );
  const failed = { Code: "ConditionalCheckFailed", Message: "The conditional request failed", Item: order("ada", 1) };
  check(error.CancellationReasons, [{ Code: "None" }, failed]);
  check((await dynamodb.getItem({ TableName: table, Key: key("bob", 1) })).Item, undefined);
}

async function transact_token(table) {
  await createPlain(table);
  const add = (amount) =>
    dynamodb.transactWriteItems({
      ClientRequestToken: `${table}_token`.slice(0, 36),
      TransactItems: [
        {
          Update: {
            TableName: table,
            Key: { id: { S: "t" } },
            UpdateExpression: "ADD hits :n",
            ExpressionAttributeValues: { ":n": { N: String(amount) } },
          },
        },
      ],
    });
  await add(1);
  await add(1);
  check((await dynamodb.getItem({ TableName: table, Key: { id: { S: "t" } } })).Item.hits.N, "1");
  await rejects(add(2), "IdempotentParameterMismatchException");
}

export const scenarios = { batch_write, batch_get, transact_write_and_get, transact_cancelled, transact_token };
