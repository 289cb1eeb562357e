// The Inspector's command line: one process for each request, as people and scripts run it.
import assert from "node:assert/strict";
import { exercise } from "./exercise.mjs";
import { run } from "./newer.mjs";

const [url] = process.argv.slice(2);

async function ask(method, ...args) {
  const result = await run("@modelcontextprotocol/inspector/clients/launcher/build/index.js",
    ["--cli", url, "--transport", "http", "--method", method, ...args]);
  const start = result.stdout.indexOf("{");
  assert.ok(start >= 0, `${method} ${args}: ${result.stdout}${result.stderr}`);
  return JSON.parse(result.stdout.slice(start));
}

const value = given => typeof given === "string" ? given : JSON.stringify(given);
const client = {
  listTools: () => ask("tools/list"),
  callTool: ({ name, arguments: args }) =>
    ask("tools/call", "--tool-name", name, ...Object.entries(args).flatMap(([key, given]) => ["--tool-arg", `${key}=${value(given)}`])),
  listResources: () => ask("resources/list"),
  listResourceTemplates: () => ask("resources/templates/list"),
  listPrompts: () => ask("prompts/list"),
  readResource: ({ uri }) => ask("resources/read", "--uri", uri),
};
console.log(`called ${await exercise(client)} tools`);
