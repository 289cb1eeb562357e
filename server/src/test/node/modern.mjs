// The client of the revision without a handshake. Arguments: http URL, or stdio COMMAND ARGUMENT...
import assert from "node:assert/strict";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { exercise } from "./exercise.mjs";

const [kind, first, ...rest] = process.argv.slice(2);
const transport = kind === "http"
  ? new StreamableHTTPClientTransport(new URL(first))
  : new StdioClientTransport({ command: first, args: rest });
const client = new Client({ name: "caliber-test", version: "1" }, { versionNegotiation: { mode: "auto" } });
await client.connect(transport);
assert.equal(client.getNegotiatedProtocolVersion(), "2026-07-28");
const updated = new Promise(resolve => client.setNotificationHandler("notifications/resources/updated", resolve));
const subscription = await client.listen({ resourceSubscriptions: ["memory://knowledge-graph"] });
console.log(`called ${await exercise(client)} tools`);
assert.equal((await updated).params.uri, "memory://knowledge-graph");
await subscription.close();
await client.close();
