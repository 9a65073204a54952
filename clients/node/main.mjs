// The AWS SDK for JavaScript's answers to ../scenarios.txt.
import * as items from "./items.mjs";
import * as protocol from "./protocol.mjs";
import * as reads from "./reads.mjs";
import { runAll } from "./scenario.mjs";
import * as several from "./several.mjs";
import * as statements from "./statements.mjs";
import * as tables from "./tables.mjs";

await runAll(tables, items, reads, several, statements, protocol);
