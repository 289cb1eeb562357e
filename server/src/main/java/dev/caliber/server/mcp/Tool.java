package dev.caliber.server.mcp;

import dev.caliber.kernel.Json;
import dev.caliber.server.operation.Call;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One tool.
 *
 * @param definition as clients see it
 * @param operation what it runs
 * @param renamed arguments that the operation calls otherwise
 * @param consumed arguments that are for the tool alone; the operation does not know them
 */
record Tool(
    ObjectNode definition, String operation, Map<String, String> renamed, Set<String> consumed) {
  static final String FENCE = "fence";
  private static final String SUBJECT = "subject";
  private static final String SUBJECTS = "subjects";
  private static final String REPLACES = "replaces";

  String name() {
    return definition.path("name").asString();
  }

  JsonNode inputSchema() {
    return definition.path("inputSchema");
  }

  /** The first example of its schema. */
  JsonNode example() {
    return inputSchema().path("examples").path(0);
  }

  Call call(ObjectNode arguments) {
    ObjectNode input = arguments.deepCopy();
    input.remove(consumed);
    renamed.forEach((from, to) -> rename(input, from, to));
    return input.has(REPLACES) ? replacing(input) : Call.of(operation, input);
  }

  /** Adds the argument {@code subject}, where the operation does not have one itself. */
  void takeSubject(JsonNode schema) {
    ObjectNode properties = definition.withObject("inputSchema").withObject("properties");
    if (!properties.has(SUBJECT)) {
      properties.set(SUBJECT, schema);
      consumed.add(SUBJECT);
    }
  }

  /** The one subject that a call is for; a call that names several is for none of them alone. */
  Optional<String> subject(ObjectNode arguments) {
    return Optional.of(arguments.path(SUBJECT))
        .filter(named -> named.isString() && !arguments.has(SUBJECTS))
        .map(JsonNode::asString);
  }

  private static void rename(ObjectNode input, String from, String to) {
    if (input.has(from)) {
      input.set(to, input.remove(from));
    }
  }

  private static void move(ObjectNode input, String name, ObjectNode to) {
    if (input.has(name)) {
      to.set(name, input.remove(name));
    }
  }

  /** A note that takes the place of another is an operation of its own. */
  private static Call replacing(ObjectNode input) {
    ObjectNode whole = Json.mapper().createObjectNode();
    whole.set("id", input.remove(REPLACES));
    move(input, FENCE, whole);
    whole.set("note", input);
    return Call.of("supersede_note", whole);
  }
}
