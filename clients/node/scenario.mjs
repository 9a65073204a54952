// What every scenario has at hand: clients, the table of orders, and a way to expect an exception.
import assert from "node:assert/strict";

import * as sdk from "@aws-sdk/client-dynamodb";
import { DynamoDBStreamsClient } from "@aws-sdk/client-dynamodb-streams";

export const endpoint = process.env.ESPALIER_ENDPOINT;
export const settings = {
  endpoint,
  region: "us-east-1",
  credentials: { accessKeyId: "client", secretAccessKey: "secret" },
};
export const dynamodb = new sdk.DynamoDB(settings);
export const reader = new DynamoDBStreamsClient(settings);

export const check = assert.deepEqual;

/** Runs all scenarios of these modules, under their own names, and tells of each on a line of its own. */
export async function runAll(...modules) {
  for (const module of modules) {
    for (const [name, scenario] of Object.entries(module.scenarios)) {
      const began = performance.now();
      let [verdict, message] = ["passed", ""];
      try {
        await scenario(`node_${name}`);
      } catch (failure) {
        const place = /\(?[^ (]*\/([^/]+:\d+):\d+\)?/.exec(failure.stack ?? "");
        [verdict, message] = ["failed", `${failure.name}: ${failure.message} (${place?.[1]})`.replace(/\s+/g, " ")];
      }
      console.log([verdict, name, Math.round(performance.now() - began), message].join("\t"));
    }
  }
}

/** Expects the exception that the SDK has a class for, and answers it. ValidationException is not in the model. */
export async function rejects(promise, name, message) {
  const expected = name === "ValidationException" ? sdk.DynamoDBServiceException : sdk[name];
  const error = await promise.then(
    () => assert.fail(`${name} was not thrown`),
    (error) => error,
  );
  assert.ok(error instanceof expected, `${error.name} is not ${name}: ${error.message}`);
  check(error.name, name);
  if (message !== undefined) check(error.message, message);
  return error;
}

export function ordersDefinition(table) {
  return {
    TableName: table,
    BillingMode: "PAY_PER_REQUEST",
    AttributeDefinitions: [
      { AttributeName: "customer", AttributeType: "S" },
      { AttributeName: "nr", AttributeType: "N" },
      { AttributeName: "phase", AttributeType: "S" },
      { AttributeName: "amount", AttributeType: "N" },
      { AttributeName: "placed", AttributeType: "S" },
    ],
    KeySchema: [
      { AttributeName: "customer", KeyType: "HASH" },
      { AttributeName: "nr", KeyType: "RANGE" },
    ],
    GlobalSecondaryIndexes: [
      {
        IndexName: "by_phase",
        KeySchema: [
          { AttributeName: "phase", KeyType: "HASH" },
          { AttributeName: "amount", KeyType: "RANGE" },
        ],
        Projection: { ProjectionType: "ALL" },
      },
    ],
    LocalSecondaryIndexes: [
      {
        IndexName: "by_day",
        KeySchema: [
          { AttributeName: "customer", KeyType: "HASH" },
          { AttributeName: "placed", KeyType: "RANGE" },
        ],
        Projection: { ProjectionType: "INCLUDE", NonKeyAttributes: ["amount"] },
      },
    ],
  };
}

const waiting = { client: dynamodb, maxWaitTime: 30 };

export async function waitUntilExists(table) {
  check((await sdk.waitUntilTableExists(waiting, { TableName: table })).state, "SUCCESS");
}

export async function waitUntilGone(table) {
  check((await sdk.waitUntilTableNotExists(waiting, { TableName: table })).state, "SUCCESS");
}

export async function createOrders(table) {
  await dynamodb.createTable(ordersDefinition(table));
  await waitUntilExists(table);
}

/** A table with the partition key `id` (S) alone. */
export async function createPlain(table, more = {}) {
  const created = await dynamodb.createTable({
    TableName: table,
    BillingMode: "PAY_PER_REQUEST",
    AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
    KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
    ...more,
  });
  await waitUntilExists(table);
  return created.TableDescription;
}

export const key = (customer, nr) => ({ customer: { S: customer }, nr: { N: String(nr) } });

export const order = (customer, nr) => ({
  ...key(customer, nr),
  phase: { S: nr % 2 ? "open" : "paid" },
  amount: { N: String(nr * 10) },
  placed: { S: `2026-01-${String(nr).padStart(2, "0")}` },
});

/** The whole numbers from one to the other, both included. */
export const range = (from, to) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

export async function fillOrders(table) {
  const items = [...range(1, 30).map((nr) => order("ada", nr)), ...range(1, 10).map((nr) => order("bob", nr))];
  for (let start = 0; start < items.length; start += 25) {
    await writeBatch(table, items.slice(start, start + 25).map((Item) => ({ PutRequest: { Item } })));
  }
}

/** One BatchWriteItem, repeated for what was left unprocessed. */
export async function writeBatch(table, requests) {
  let pending = { [table]: requests };
  for (let round = 0; round < 50; round++) {
    pending = (await dynamodb.batchWriteItem({ RequestItems: pending })).UnprocessedItems;
    if (Object.keys(pending).length === 0) return;
    await pause(50);
  }
  assert.fail("unprocessed items are left after 50 rounds");
}

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export const numbers = (items, name = "nr") => items.map((item) => Number(item[name].N));
