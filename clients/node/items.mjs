// Single items: values, conditions, updates, races, capacity, wrong input.
import assert from "node:assert/strict";

import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import * as lib from "@aws-sdk/lib-dynamodb";

import { check, createOrders, createPlain, dynamodb, key, order, range, rejects } from "./scenario.mjs";

const LETTERS = 'aé漢😀\u0000\n"\\/\u2028';

async function ten_types(table) {
  await createPlain(table);
  const item = {
    id: { S: "all" },
    string: { S: LETTERS },
    empty_string: { S: "" },
    number: { N: "-12.5" },
    binary: { B: Uint8Array.from(range(0, 255)) },
    empty_binary: { B: new Uint8Array() },
    yes: { BOOL: true },
    no: { BOOL: false },
    null: { NULL: true },
    strings: { SS: ["a", "b", LETTERS] },
    numbers: { NS: ["-1", "0", "2.5"] },
    binaries: { BS: [Uint8Array.of(0), Uint8Array.of(255, 254)] },
    list: { L: [{ N: "1" }, { S: "" }, { L: [] }, { M: {} }, { NULL: true }] },
    map: { M: { [LETTERS]: { M: { deep: { L: [{ B: Uint8Array.of(1) }, { SS: ["x"] }] } } } } },
  };
  await dynamodb.putItem({ TableName: table, Item: item });
  const found = (await dynamodb.getItem({ TableName: table, Key: { id: { S: "all" } }, ConsistentRead: true })).Item;
  for (const [name, type] of [["strings", "SS"], ["numbers", "NS"], ["binaries", "BS"]]) {
    found[name][type].sort();
    item[name][type].sort();
  }
  check(found, item);
}

async function exact_numbers(table) {
  await createPlain(table);
  const put = (written) => dynamodb.putItem({ TableName: table, Item: { id: { S: "n" }, n: { N: written } } });
  const cases = {
    "12345678901234567890123456789012345678": "12345678901234567890123456789012345678",
    "-0.12345678901234567890123456789012345678": "-0.12345678901234567890123456789012345678",
    "9.9999999999999999999999999999999999999E125": "9".repeat(38) + "0".repeat(88),
    "-1E-130": `-0.${"0".repeat(129)}1`,
    "007.500": "7.5",
    "1e3": "1000",
    "-0": "0",
    "0.1": "0.1",
  };
  for (const [written, stored] of Object.entries(cases)) {
    await put(written);
    check((await dynamodb.getItem({ TableName: table, Key: { id: { S: "n" } } })).Item.n.N, stored);
  }
  const tooMuch = {
    "123456789012345678901234567890123456789": "Attempting to store more than 38 significant digits in a Number",
    "1E126": "Number overflow. Attempting to store a number with magnitude larger than supported range",
    "1E-131": "Number underflow. Attempting to store a number with magnitude smaller than supported range",
  };
  for (const [written, message] of Object.entries(tooMuch)) await rejects(put(written), "ValidationException", message);
}

async function document_client(table) {
  await createPlain(table);
  const documents = lib.DynamoDBDocument.from(dynamodb, {
    marshallOptions: { convertEmptyValues: false },
    unmarshallOptions: {
      wrapNumbers: (text) => (Number.isSafeInteger(Number(text)) ? Number(text) : lib.NumberValue.from(text)),
    },
  });
  const item = {
    id: "doc",
    price: lib.NumberValue.from("12345678901234567890123456789012345678"),
    small: lib.NumberValue.from("0.1"),
    raw: Uint8Array.of(0, 1),
    colours: new Set(["red", "green"]),
    sizes: new Set([1, 2]),
    nested: { list: [1, "two", null, true, { deep: -1 }], empty: "" },
  };
  await documents.put({ TableName: table, Item: item });
  check((await documents.get({ TableName: table, Key: { id: "doc" } })).Item, item);
  for (const start of [0, 20, 40]) {
    const puts = range(start, start + 19).map((nr) => ({ PutRequest: { Item: { id: `b${nr}`, nr } } }));
    check((await documents.batchWrite({ RequestItems: { [table]: puts } })).UnprocessedItems, {});
  }
  const found = [];
  const scan = {
    TableName: table,
    FilterExpression: "nr BETWEEN :from AND :to AND begins_with(id, :b)",
    ExpressionAttributeValues: { ":from": 10, ":to": 19, ":b": "b" },
  };
  for await (const page of lib.paginateScan({ client: documents, pageSize: 25 }, scan)) found.push(...page.Items);
  check(found.map((item) => item.nr).sort((a, b) => a - b), range(10, 19));
  const queried = await documents.query({
    TableName: table,
    KeyConditionExpression: "id = :id",
    ExpressionAttributeValues: { ":id": "b7" },
  });
  check(queried.Items, [{ id: "b7", nr: 7 }]);
  const updated = await documents.update({
    TableName: table,
    Key: { id: "doc" },
    UpdateExpression: "SET small = small + :more",
    ExpressionAttributeValues: { ":more": lib.NumberValue.from("0.2") },
    ReturnValues: "UPDATED_NEW",
  });
  check(updated.Attributes.small.value, "0.3");
  await documents.transactWrite({ TransactItems: [{ Delete: { TableName: table, Key: { id: "doc" } } }] });
  check((await documents.get({ TableName: table, Key: { id: "doc" } })).Item, undefined);
}

async function conditional_put(table) {
  await createOrders(table);
  await dynamodb.putItem({
    TableName: table,
    Item: order("ada", 1),
    ConditionExpression: "attribute_not_exists(customer)",
  });
  const put = dynamodb.putItem({
    TableName: table,
    Item: { ...order("ada", 1), amount: { N: "99" } },
    ConditionExpression: "attribute_not_exists(customer) OR amount > :least",
    ExpressionAttributeValues: { ":least": { N: "10" } },
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  });
  const error = await rejects(put, "ConditionalCheckFailedException", "The conditional request failed");
  check(error.Item, order("ada", 1));
  const remove = dynamodb.deleteItem({
    TableName: table,
    Key: key("ada", 1),
    ConditionExpression: "phase = :paid",
    ExpressionAttributeValues: { ":paid": { S: "paid" } },
  });
  check((await rejects(remove, "ConditionalCheckFailedException")).Item, undefined);
}

async function update_clauses(table) {
  await createPlain(table);
  const strings = (...texts) => ({ L: texts.map((S) => ({ S })) });
  await dynamodb.putItem({
    TableName: table,
    Item: {
      id: { S: "u" },
      hits: { N: "1" },
      list: strings("a", "b", "c"),
      map: { M: { inside: { M: { x: { N: "1" } } } } },
      colours: { SS: ["red", "green"] },
      gone: { S: "soon" },
    },
  });
  await dynamodb.updateItem({
    TableName: table,
    Key: { id: { S: "u" } },
    UpdateExpression:
      "SET #map.inside.x = #map.inside.x + :two, fresh = if_not_exists(fresh, :zero), " +
      "more = list_append(#list, :tail), #list[0] = :first " +
      "REMOVE gone, #list[1] ADD hits :two, sizes :sizes DELETE colours :red",
    ExpressionAttributeNames: { "#map": "map", "#list": "list" },
    ExpressionAttributeValues: {
      ":two": { N: "2" },
      ":zero": { N: "0" },
      ":tail": strings("d"),
      ":first": { S: "A" },
      ":sizes": { NS: ["7"] },
      ":red": { SS: ["red"] },
    },
  });
  check((await dynamodb.getItem({ TableName: table, Key: { id: { S: "u" } } })).Item, {
    id: { S: "u" },
    hits: { N: "3" },
    list: strings("A", "c"),
    map: { M: { inside: { M: { x: { N: "3" } } } } },
    colours: { SS: ["green"] },
    fresh: { N: "0" },
    more: strings("a", "b", "c", "d"),
    sizes: { NS: ["7"] },
  });
}

async function update_return_values(table) {
  await createPlain(table);
  const update = async (ReturnValues, nr) => {
    const answer = await dynamodb.updateItem({
      TableName: table,
      Key: { id: { S: "r" } },
      UpdateExpression: "SET nr = :nr, kept = if_not_exists(kept, :nr)",
      ExpressionAttributeValues: { ":nr": { N: String(nr) } },
      ReturnValues,
    });
    return answer.Attributes;
  };
  const values = (nr) => ({ nr: { N: String(nr) }, kept: { N: "1" } });
  check(await update("NONE", 1), undefined);
  check(await update("ALL_OLD", 2), { id: { S: "r" }, ...values(1) });
  check(await update("UPDATED_OLD", 3), values(2));
  check(await update("ALL_NEW", 4), { id: { S: "r" }, ...values(4) });
  check(await update("UPDATED_NEW", 5), values(5));
}

async function delete_returns_old(table) {
  await createOrders(table);
  await dynamodb.putItem({ TableName: table, Item: order("ada", 1) });
  const remove = () => dynamodb.deleteItem({ TableName: table, Key: key("ada", 1), ReturnValues: "ALL_OLD" });
  check((await remove()).Attributes, order("ada", 1));
  check((await remove()).Attributes, undefined);
  check((await dynamodb.getItem({ TableName: table, Key: key("ada", 1) })).Item, undefined);
}

async function optimistic_locking(table) {
  await createPlain(table);
  await dynamodb.putItem({ TableName: table, Item: { id: { S: "v" }, version: { N: "0" } } });
  const update = async (version) => {
    try {
      await dynamodb.updateItem({
        TableName: table,
        Key: { id: { S: "v" } },
        UpdateExpression: "SET version = :next",
        ConditionExpression: "version = :seen",
        ExpressionAttributeValues: { ":seen": { N: String(version) }, ":next": { N: String(version + 1) } },
      });
      return 1;
    } catch (error) {
      assert.ok(error instanceof ConditionalCheckFailedException, String(error));
      return 0;
    }
  };
  for (const version of range(0, 9)) {
    const [first, second] = await Promise.all([update(version), update(version)]);
    check(first + second, 1);
  }
}

async function atomic_counter(table) {
  await createPlain(table);
  const count = () =>
    dynamodb.updateItem({
      TableName: table,
      Key: { id: { S: "c" } },
      UpdateExpression: "ADD hits :one",
      ExpressionAttributeValues: { ":one": { N: "1" } },
    });
  await Promise.all(range(1, 40).map(count));
  const found = await dynamodb.getItem({ TableName: table, Key: { id: { S: "c" } }, ConsistentRead: true });
  check(found.Item.hits.N, "40");
}

async function consumed_capacity(table) {
  await createOrders(table);
  const item = { ...order("ada", 1), note: { S: "x".repeat(1500) } };
  const put = { TableName: table, Item: item, ReturnConsumedCapacity: "INDEXES" };
  const written = (await dynamodb.putItem(put)).ConsumedCapacity;
  check(written.TableName, table);
  check(written.CapacityUnits, 5);
  check(written.Table.CapacityUnits, 2);
  check(written.GlobalSecondaryIndexes.by_phase.CapacityUnits, 2);
  check(written.LocalSecondaryIndexes.by_day.CapacityUnits, 1);
  for (const [ConsistentRead, units] of [[true, 1], [false, 0.5]]) {
    const get = { TableName: table, Key: key("ada", 1), ConsistentRead, ReturnConsumedCapacity: "TOTAL" };
    check((await dynamodb.getItem(get)).ConsumedCapacity, { TableName: table, CapacityUnits: units });
  }
}

async function wrong_input(table) {
  await createOrders(table);
  const put = (Item, more = {}) => dynamodb.putItem({ TableName: table, Item, ...more });
  const invalid = "One or more parameter values were invalid: ";
  await rejects(put({ customer: { S: "ada" } }), "ValidationException", `${invalid}Missing the key nr in the item`);
  await rejects(
    put({ customer: { S: "ada" }, nr: { S: "1" } }),
    "ValidationException",
    `${invalid}Type mismatch for key nr expected: N actual: S`,
  );
  const unused = {
    ConditionExpression: "attribute_not_exists(customer)",
    ExpressionAttributeNames: { "#unused": "x" },
  };
  await rejects(
    put(order("ada", 1), unused),
    "ValidationException",
    "Value provided in ExpressionAttributeNames unused in expressions: keys: {#unused}",
  );
  const large = { ...order("ada", 1), note: { S: "x".repeat(409_600) } };
  await rejects(put(large), "ValidationException", "Item size has exceeded the maximum allowed size");
}

export const scenarios = {
  ten_types, exact_numbers, document_client, conditional_put, update_clauses, update_return_values, delete_returns_old,
  optimistic_locking, atomic_counter, consumed_capacity, wrong_input,
};
