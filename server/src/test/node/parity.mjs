// The reference memory server and another one get the same calls. Arguments: URL of the other one.
import assert from "node:assert/strict";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { graphOf } from "./exercise.mjs";

const reference = fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-memory/dist/index.js"));
const file = join(mkdtempSync(join(tmpdir(), "reference-")), "memory.jsonl");

async function answers(transport) {
  const client = new Client({ name: "caliber-test", version: "1" });
  await client.connect(transport);
  const seen = [];
  await graphOf(async (name, args) => {
    const result = await client.callTool({ name, arguments: args });
    seen.push([name, result.structuredContent]);
    return result;
  });
  const { tools } = await client.listTools();
  await client.close();
  return { seen, tools: new Map(tools.map(tool => [tool.name, tool])) };
}

const theirs = await answers(new StdioClientTransport({
  command: process.execPath, args: [reference], env: { ...process.env, MEMORY_FILE_PATH: file }, stderr: "ignore",
}));
const ours = await answers(new StreamableHTTPClientTransport(new URL(process.argv[2])));
assert.deepEqual(ours.seen, theirs.seen);
for (const [name, tool] of theirs.tools) {
  const mine = ours.tools.get(name);
  // fence and subject are ours, and both are optional
  assert.deepEqual(mine?.inputSchema.properties && Object.keys(mine.inputSchema.properties).filter((key) => !['fence', 'subject'].includes(key)),
    Object.keys(tool.inputSchema.properties ?? {}), name);
  assert.deepEqual(mine.inputSchema.required ?? [], tool.inputSchema.required ?? [], name);
  assert.deepEqual(mine.annotations, tool.annotations, name);
}
console.log(`same answers from ${theirs.tools.size} tools`);
