// What every real client does: lists all tools, calls each of them, reads resources. Says how many tools it called.
import assert from "node:assert/strict";

export async function exercise(client) {
  const { tools } = await client.listTools();
  const called = new Set();
  const call = async (name, args) => {
    called.add(name);
    const result = await client.callTool({ name, arguments: args });
    assert.ok(!result.isError, `${name}: ${JSON.stringify(result.content)}`);
    return result;
  };

  const said = await call("remember", { text: "Where is my parcel?", session: "thread-7" });
  const trajectory = said.structuredContent.turn.trajectory;
  await call("remember", { text: "Alice prefers window seats", subject: "alice" });
  const found = await call("recall", { query: "Where does Alice like to sit?", subject: "alice" });
  assert.match(found.content[0].text, /window seats/);
  const note = await call("write_note", {
    entity: "payments", entity_type: "service", type: "GOTCHA", content: "Refunds take a day",
  });
  const window = await call("assemble_context", { session: "thread-7", max_tokens: 500 });
  assert.match(window.content[0].text, /Where is my parcel/);
  await call("explain_window", { window: window.structuredContent.window.id });
  await call("checkpoint", { trajectory });
  await call("recover", { trajectory });
  const preview = await call("forget", { id: note.structuredContent.id, dry_run: true });
  assert.equal(preview.structuredContent.records.length, 1);
  await call("forget", { id: note.structuredContent.id });

  await together(call);

  const graph = await graphOf(call);
  assert.deepEqual(graph.relations, [{ from: "Ada", to: "Acme", relationType: "works_at" }]);
  assert.deepEqual(graph.entities.map(one => one.name), ["Ada", "Acme"]);
  await call("delete_observations", { deletions: [{ entityName: "Ada", observations: ["Owns a cat"] }] });
  await call("delete_relations", { relations: graph.relations });
  await call("delete_entities", { entityNames: ["Ada", "Acme"] });
  const empty = await call("open_nodes", { names: ["Ada"] });
  assert.deepEqual(empty.structuredContent, { entities: [], relations: [] });

  const wrong = await client.callTool({ name: "recall", arguments: { qeury: "seats" } });
  assert.equal(wrong.isError, true);
  const { resources } = await client.listResources();
  const read = await client.readResource({ uri: resources.at(-1).uri });
  assert.equal(read.contents.length, 1);
  const { resourceTemplates } = await client.listResourceTemplates();
  assert.equal(resourceTemplates.length, 3);
  const { prompts } = await client.listPrompts();
  assert.deepEqual(prompts, []);

  assert.deepEqual([...called].sort(), tools.map(tool => tool.name).sort());
  return called.size;
}

// Two agents: one locks a file and writes to the other, who reads it and says that it is done.
async function together(call) {
  await call("register_agent", { agent: "anna", type: "coder" });
  await call("register_agent", { agent: "ben", type: "reviewer" });
  const resource = { type: "file", id: `src/${crypto.randomUUID()}` }; // a run before this one may still hold another
  const { lease } = (await call("acquire_lease", { agent: "anna", resource, length: "1m" })).structuredContent;
  const { behind } = (await call("acquire_lease", { agent: "ben", resource })).structuredContent;
  assert.deepEqual(behind, ["anna"]);
  await call("release_lease", { agent: "anna", lease: lease.id });
  await call("send_message", { from: "anna", to: { agent: "ben" }, type: "review", payload: { file: resource.id } });
  const { items } = (await call("receive_messages", { agent: "ben" })).structuredContent;
  assert.equal(items[0].letter.payload.file, resource.id);
  await call("receive_messages", { agent: "ben", done: items.map(message => message.id) });
}

// The nine tools' own part, which the reference server runs as well.
export async function graphOf(call) {
  const entities = [
    { name: "Ada", entityType: "person", observations: ["Speaks Spanish"] },
    { name: "Acme", entityType: "firm", observations: [] },
  ];
  await call("create_entities", { entities });
  await call("create_relations", { relations: [{ from: "Ada", to: "Acme", relationType: "works_at" }] });
  await call("add_observations", { observations: [{ entityName: "Ada", contents: ["Speaks Spanish", "Owns a cat"] }] });
  await call("search_nodes", { query: "CAT" });
  await call("open_nodes", { names: ["Acme"] });
  await call("read_graph", {});
  return (await call("open_nodes", { names: ["Ada", "Acme"] })).structuredContent;
}
