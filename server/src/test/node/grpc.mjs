// gRPC from another language: a client made of caliber.proto. Arguments: the file, host:port.
import assert from "node:assert/strict";
import { once } from "node:events";
import grpc from "@grpc/grpc-js";
import loader from "@grpc/proto-loader";

const [file, address] = process.argv.slice(2);
const definition = loader.loadSync(file, { keepCase: true, longs: Number });
const { Caliber } = grpc.loadPackageDefinition(definition).caliber.v1;
const client = new Caliber(address, grpc.credentials.createInsecure());
const call = (method, request) => new Promise((resolve, reject) =>
  client[method](request, { deadline: Date.now() + 60000 }, (error, answer) => error ? reject(error) : resolve(answer)));

const { note } = await call("Remember", { text: "Bob prefers green tea", subject: "bob" });
const { hits } = await call("Recall", { query: "green tea", subject: "bob" });
assert.equal(hits[0].id, note.id);
const streamed = client.StreamRecall({ query: "green tea", subject: "bob" });
assert.equal((await once(streamed, "data"))[0].id, note.id);
streamed.cancel();
streamed.on("error", () => {});
const turns = await call("AppendTurns", { session: "s1", turns: [{ role: "USER", parts: [{ kind: "text", text: "Hello" }] }] });
assert.equal(turns.items[0].parts[0].text, "Hello");
const { window } = await call("AssembleContext", { session: "s1", query: "tea", max_tokens: 500 });
assert.equal((await call("ExplainWindow", { id: window.id })).window_id, window.id);
const events = client.StreamEvents({ after: "0", tables: ["note"] });
events.on("error", () => {});
for await (const event of events) {
  if (event.changes.some(change => change.key === note.id)) break;
}
events.cancel();
const refused = await call("GetNote", { id: "01ARZ3NDEKTSV4RRFFQ69G5FAV" }).catch(error => error);
assert.equal(refused.code, grpc.status.NOT_FOUND);
assert.match(refused.metadata.get("caliber-code")[0], /^CALIBER_/);
const methods = Object.keys(Caliber.service);
const unknown = [];
for (const method of methods.filter(name => !Caliber.service[name].responseStream)) {
  const error = await call(method, {}).then(() => null, found => found);
  if (error && [grpc.status.UNIMPLEMENTED, grpc.status.INTERNAL, grpc.status.UNKNOWN].includes(error.code)) unknown.push(`${method}: ${error.message}`);
}
assert.deepEqual(unknown, []);
console.log(`called ${methods.length} methods`);
client.close();
