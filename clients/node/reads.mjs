// Query and Scan with the paginators.
import assert from "node:assert/strict";

import { paginateQuery, paginateScan } from "@aws-sdk/client-dynamodb";

import { check, createOrders, createPlain, dynamodb, fillOrders, numbers, range, writeBatch } from "./scenario.mjs";

/** All pages of a query. */
async function query(table, condition, values, pageSize, more = {}) {
  const request = {
    TableName: table,
    KeyConditionExpression: condition,
    ExpressionAttributeValues: values,
    ...more,
  };
  const pages = [];
  for await (const page of paginateQuery({ client: dynamodb, pageSize }, request)) pages.push(page);
  return pages;
}

const items = (pages) => pages.flatMap((page) => page.Items);
const counts = (pages) => pages.map((page) => page.Count);

async function query_pages(table) {
  await createOrders(table);
  await fillOrders(table);
  const pages = await query(table, "customer = :who", { ":who": { S: "ada" } }, 7);
  check(counts(pages), [7, 7, 7, 7, 2]);
  check(numbers(items(pages)), range(1, 30));
}

async function query_index(table) {
  await createOrders(table);
  await fillOrders(table);
  let pages = await query(table, "phase = :paid", { ":paid": { S: "paid" } }, 6, { IndexName: "by_phase" });
  check(counts(pages), [6, 6, 6, 2]);
  const paid = [...range(1, 15), ...range(1, 5)].map((half) => half * 20).sort((a, b) => a - b);
  check(numbers(items(pages), "amount"), paid);
  pages = await query(
    table,
    "customer = :who AND placed BETWEEN :from AND :to",
    { ":who": { S: "ada" }, ":from": { S: "2026-01-10" }, ":to": { S: "2026-01-19" } },
    4,
    { IndexName: "by_day" },
  );
  check(numbers(items(pages)), range(10, 19));
  check(Object.keys(items(pages)[0]).sort(), ["amount", "customer", "nr", "placed"]);
}

async function query_backward(table) {
  await createOrders(table);
  await fillOrders(table);
  const values = { ":who": { S: "ada" }, ":nr": { N: "10" }, ":open": { S: "open" } };
  const pages = await query(table, "customer = :who AND nr > :nr", values, 8, {
    ScanIndexForward: false,
    FilterExpression: "phase = :open",
    ProjectionExpression: "nr, #amount",
    ExpressionAttributeNames: { "#amount": "amount" },
  });
  check(pages.map((page) => [page.Count, page.ScannedCount]), [[4, 8], [4, 8], [2, 4]]);
  const expected = range(5, 14).reverse().map((half) => 2 * half + 1);
  check(items(pages), expected.map((nr) => ({ nr: { N: String(nr) }, amount: { N: String(nr * 10) } })));
}

async function scan_pages(table) {
  await createOrders(table);
  await fillOrders(table);
  const pages = [];
  for await (const page of paginateScan({ client: dynamodb, pageSize: 9 }, { TableName: table })) pages.push(page);
  check(counts(pages), [9, 9, 9, 9, 4]);
  const found = (who) => numbers(items(pages).filter((item) => item.customer.S === who)).sort((a, b) => a - b);
  check([found("ada"), found("bob")], [range(1, 30), range(1, 10)]);
  check((await dynamodb.scan({ TableName: table, Select: "COUNT" })).Count, 40);
}

async function scan_segments(table) {
  await createPlain(table);
  for (const start of [0, 25, 50, 75]) {
    const puts = range(start, start + 24).map((nr) => ({ PutRequest: { Item: { id: { S: `s${nr}` } } } }));
    await writeBatch(table, puts);
  }
  const segment = async (Segment) => {
    const found = [];
    const request = { TableName: table, Segment, TotalSegments: 4 };
    for await (const page of paginateScan({ client: dynamodb, pageSize: 10 }, request)) found.push(...page.Items);
    return found.map((item) => item.id.S);
  };
  const segments = await Promise.all(range(0, 3).map(segment));
  assert.ok(segments.every((found) => found.length > 0), JSON.stringify(segments));
  check(segments.flat().sort(), range(0, 99).map((nr) => `s${nr}`).sort());
}

async function large_pages(table) {
  await createOrders(table);
  await writeLarge(table);
  const pages = await query(table, "customer = :who", { ":who": { S: "big" } });
  // A page ends with the item that crosses 1 MB, here the sixth.
  check(counts(pages), [...Array(16).fill(6), 4]);
  check(numbers(items(pages)), range(0, 99));
}

/** 100 items of 180 KB, 25 at a time. */
export async function writeLarge(table) {
  const note = { S: "x".repeat(180_000) };
  for (const start of [0, 25, 50, 75]) {
    const puts = range(start, start + 24).map((nr) => ({ customer: { S: "big" }, nr: { N: String(nr) }, note }));
    await writeBatch(table, puts.map((Item) => ({ PutRequest: { Item } })));
  }
}

export const scenarios = { query_pages, query_index, query_backward, scan_pages, scan_segments, large_pages };
