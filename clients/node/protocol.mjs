// What passes between client and server beneath the API. This SDK does not compare x-amz-crc32 itself.
import { DynamoDB } from "@aws-sdk/client-dynamodb";

import { check, createPlain, dynamodb, rejects, settings } from "./scenario.mjs";

function crc32(bytes) {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

async function checksum(table) {
  await createPlain(table);
  await dynamodb.putItem({ TableName: table, Item: { id: { S: "a" }, note: { S: "x".repeat(10_000) } } });
  const seen = [];
  const watched = new DynamoDB(settings);
  const { requestHandler } = watched.config;
  const handle = requestHandler.handle.bind(requestHandler);
  requestHandler.handle = async (...request) => {
    const { response } = await handle(...request);
    const chunks = [];
    for await (const chunk of response.body) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    seen.push([Number(response.headers["x-amz-crc32"]), crc32(body)]);
    response.body = body;
    return { response };
  };
  await watched.getItem({ TableName: table, Key: { id: { S: "a" } } });
  await watched.listTables({});
  await rejects(watched.describeTable({ TableName: "missing_table_of_checksum" }), "ResourceNotFoundException");
  check(seen.length, 3);
  for (const [told, found] of seen) check(told, found);
}

export const scenarios = { checksum };
