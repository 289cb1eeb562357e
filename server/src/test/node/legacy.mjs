// The client of revisions with a handshake. Arguments: http URL, or stdio COMMAND ARGUMENT...
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { exercise } from "./exercise.mjs";

const [kind, first, ...rest] = process.argv.slice(2);
const transport = kind === "http"
  ? new StreamableHTTPClientTransport(new URL(first))
  : new StdioClientTransport({ command: first, args: rest });
const client = new Client({ name: "caliber-test", version: "1" });
await client.connect(transport);
await client.ping();
console.log(`called ${await exercise(client)} tools`);
await client.close();
