// A client whose every path, parameter and answer is typed by the contract: what does not fit it does not compile.
import createClient from "openapi-fetch";
import type { paths } from "./generated-schema.js";

const client = createClient<paths>({ baseUrl: process.argv[2] });

function must<T>(what: string, answer: { data?: T; error?: unknown }): T {
  if (answer.data === undefined) {
    throw new Error(`${what}: ${JSON.stringify(answer.error)}`);
  }
  return answer.data;
}

const remembered = must(
  "remember",
  await client.POST("/api/v1/remember", { body: { text: "I prefer window seats" } }),
);
const id: string = remembered.note!.id;
const recalled = must("recall", await client.POST("/api/v1/recall", { body: { query: "window" } }));
if (!recalled.hits.some((hit) => hit.text === "I prefer window seats")) {
  throw new Error("what was remembered is not recalled");
}
const note = must("get_note", await client.GET("/api/v1/notes/{id}", { params: { path: { id } } }));
if (note.content !== "I prefer window seats") {
  throw new Error("the note is another");
}
const page = must("list_notes", await client.GET("/api/v1/notes", { params: { query: { limit: 1 } } }));
const refused = await client.GET("/api/v1/notes/{id}", {
  params: { path: { id: "01JD0000000000000000000000" } },
});
if (refused.data !== undefined || refused.response.status !== 404) {
  throw new Error("an unknown note was found");
}
if (typeof page === "string") {
  throw new Error("a list came as lines, which nobody asked for");
}
console.log(`generated client: ${page.items.length} note, refused with ${refused.response.status}`);
