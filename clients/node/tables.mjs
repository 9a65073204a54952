// Tables: creating, describing, changing, deleting.
import assert from "node:assert/strict";

import { paginateListTables } from "@aws-sdk/client-dynamodb";

import {
  check, createOrders, createPlain, dynamodb, fillOrders, numbers, ordersDefinition, pause, rejects, waitUntilExists,
  waitUntilGone,
} from "./scenario.mjs";

async function create_and_describe(table) {
  const created = (await dynamodb.createTable(ordersDefinition(table))).TableDescription;
  check(created.TableStatus, "CREATING");
  await waitUntilExists(table);
  const found = (await dynamodb.describeTable({ TableName: table })).Table;
  check(found.TableStatus, "ACTIVE");
  check(found.KeySchema, ordersDefinition(table).KeySchema);
  const byName = (a, b) => a.AttributeName.localeCompare(b.AttributeName);
  check(found.AttributeDefinitions.sort(byName), ordersDefinition(table).AttributeDefinitions.sort(byName));
  check(found.ItemCount, 0);
  check(found.BillingModeSummary.BillingMode, "PAY_PER_REQUEST");
  assert.match(found.TableArn, new RegExp(`^arn:aws:dynamodb:us-east-1:[0-9]+:table/${table}$`));
  assert.ok(Math.abs(found.CreationDateTime - Date.now()) < 600_000, String(found.CreationDateTime));
  const [index] = found.GlobalSecondaryIndexes;
  check([index.IndexName, index.IndexStatus], ["by_phase", "ACTIVE"]);
  check(index.IndexArn, `${found.TableArn}/index/by_phase`);
  const [local] = found.LocalSecondaryIndexes;
  check(local.IndexName, "by_day");
  check(local.Projection, { ProjectionType: "INCLUDE", NonKeyAttributes: ["amount"] });
}

async function listedTables(pageSize) {
  const pages = [];
  for await (const page of paginateListTables({ client: dynamodb, pageSize }, {})) pages.push(page.TableNames);
  return pages;
}

async function list_tables_pages(table) {
  const expected = [..."abcdefg"].map((letter) => `${table}_${letter}`);
  for (const name of expected) await createPlain(name);
  const pages = await listedTables(3);
  assert.ok(pages.slice(0, -1).every((page) => page.length === 3) && pages.length >= 3, JSON.stringify(pages));
  check(pages.flat().filter((name) => name.startsWith(`${table}_`)), expected);
  check(pages.flat(), [...new Set(pages.flat())].sort());
}

async function create_twice(table) {
  await createPlain(table);
  await rejects(createPlain(table), "ResourceInUseException", `Table already exists: ${table}`);
}

async function missing_table(table) {
  const get = dynamodb.getItem({ TableName: table, Key: { id: { S: "a" } } });
  await rejects(get, "ResourceNotFoundException", "Requested resource not found");
  const sentence = `Requested resource not found: Table: ${table} not found`;
  await rejects(dynamodb.describeTable({ TableName: table }), "ResourceNotFoundException", sentence);
}

async function add_and_remove_index(table) {
  await createOrders(table);
  await fillOrders(table);
  await dynamodb.updateTable({
    TableName: table,
    AttributeDefinitions: ordersDefinition(table).AttributeDefinitions,
    GlobalSecondaryIndexUpdates: [
      {
        Create: {
          IndexName: "by_placed",
          KeySchema: [{ AttributeName: "placed", KeyType: "HASH" }],
          Projection: { ProjectionType: "KEYS_ONLY" },
        },
      },
    ],
  });
  await waitForIndex(table, "by_placed", "ACTIVE");
  const query = {
    TableName: table,
    IndexName: "by_placed",
    KeyConditionExpression: "placed = :day",
    ExpressionAttributeValues: { ":day": { S: "2026-01-07" } },
  };
  const found = (await dynamodb.query(query)).Items;
  check(found.map((item) => item.customer.S).sort(), ["ada", "bob"]);
  check(numbers(found), [7, 7]);
  check(Object.keys(found[0]).sort(), ["customer", "nr", "placed"]);
  const remove = [{ Delete: { IndexName: "by_placed" } }];
  await dynamodb.updateTable({ TableName: table, GlobalSecondaryIndexUpdates: remove });
  await waitForIndex(table, "by_placed", undefined);
  const sentence = "The table does not have the specified index: by_placed";
  await rejects(dynamodb.query(query), "ValidationException", sentence);
}

async function waitForIndex(table, name, status) {
  for (let round = 0; round < 200; round++) {
    const found = (await dynamodb.describeTable({ TableName: table })).Table.GlobalSecondaryIndexes ?? [];
    if (found.find((index) => index.IndexName === name)?.IndexStatus === status) return;
    await pause(50);
  }
  assert.fail(`${name} did not become ${status}`);
}

async function time_to_live(table) {
  await createPlain(table);
  const described = async () => (await dynamodb.describeTimeToLive({ TableName: table })).TimeToLiveDescription;
  check((await described()).TimeToLiveStatus, "DISABLED");
  const wanted = { Enabled: true, AttributeName: "expires" };
  const enable = () => dynamodb.updateTimeToLive({ TableName: table, TimeToLiveSpecification: wanted });
  check((await enable()).TimeToLiveSpecification, wanted);
  check(await described(), { TimeToLiveStatus: "ENABLED", AttributeName: "expires" });
  await rejects(enable(), "ValidationException", "TimeToLive is already enabled");
}

async function tags(table) {
  const team = { Key: "team", Value: "garden" };
  const { TableArn: arn } = await createPlain(table, { Tags: [team] });
  const listed = async () => {
    const found = (await dynamodb.listTagsOfResource({ ResourceArn: arn })).Tags;
    return Object.fromEntries(found.map((tag) => [tag.Key, tag.Value]));
  };
  const added = [{ Key: "cost", Value: "low" }, { Key: "team", Value: "fruit" }];
  await dynamodb.tagResource({ ResourceArn: arn, Tags: added });
  check(await listed(), { team: "fruit", cost: "low" });
  await dynamodb.untagResource({ ResourceArn: arn, TagKeys: ["team"] });
  check(await listed(), { cost: "low" });
}

async function deletion_protection(table) {
  check((await createPlain(table, { DeletionProtectionEnabled: true })).DeletionProtectionEnabled, true);
  const sentence =
    "Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.";
  await rejects(dynamodb.deleteTable({ TableName: table }), "ValidationException", sentence);
  await dynamodb.updateTable({ TableName: table, DeletionProtectionEnabled: false });
  await dynamodb.deleteTable({ TableName: table });
  await waitUntilGone(table);
}

async function delete_table(table) {
  await createPlain(table);
  const deleted = (await dynamodb.deleteTable({ TableName: table })).TableDescription;
  check([deleted.TableName, deleted.TableStatus], [table, "DELETING"]);
  await waitUntilGone(table);
  await rejects(dynamodb.describeTable({ TableName: table }), "ResourceNotFoundException");
  assert.ok(!(await listedTables(100)).flat().includes(table));
}

export const scenarios = {
  create_and_describe, list_tables_pages, create_twice, missing_table, add_and_remove_index, time_to_live, tags,
  deletion_protection, delete_table,
};
