// The protocol's own conformance tests, as far as they ask for nothing but the protocol: the others want tools with names of theirs.
import assert from "node:assert/strict";
import { run } from "./newer.mjs";

const [url] = process.argv.slice(2);
const scenarios = ["server-initialize", "ping", "tools-list", "resources-list", "dns-rebinding-protection"];
for (const scenario of scenarios) {
  const result = await run("@modelcontextprotocol/conformance/dist/index.js", ["server", "--url", url, "--scenario", scenario]);
  assert.ok(result.ok, `${scenario}: ${result.stdout}${result.stderr}`);
}
console.log(`conforms in ${scenarios.length} scenarios`);
