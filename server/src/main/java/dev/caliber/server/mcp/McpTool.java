package dev.caliber.server.mcp;

import dev.caliber.kernel.Json;
import dev.caliber.server.operation.Operation;
import dev.caliber.server.operation.OperationRequest;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One tool.
 *
 * @param definition the definition that clients see
 * @param operation the operation behind the tool
 * @param renamed arguments that have another name in the operation
 * @param consumed arguments that the tool handles itself; the operation does not know them
 */
record McpTool(
    ObjectNode definition,
    Operation<?, ?> operation,
    Map<String, String> renamed,
    Set<String> consumed) {
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

  /** Returns the first example of the schema. */
  JsonNode example() {
    return inputSchema().path("examples").path(0);
  }

  OperationRequest toOperationRequest(ObjectNode arguments) {
    ObjectNode input = arguments.deepCopy();
    input.remove(consumed);
    renamed.forEach((from, to) -> rename(input, from, to));
    return input.has(REPLACES)
        ? supersedeRequest(input)
        : OperationRequest.of(operation.name(), input);
  }

  /** Adds the argument {@code subject}, unless the operation has one itself. */
  void addSubjectArgument(JsonNode schema) {
    ObjectNode properties = definition.withObject("inputSchema").withObject("properties");
    if (!properties.has(SUBJECT)) {
      properties.set(SUBJECT, schema);
      consumed.add(SUBJECT);
    }
  }

  /** Returns the single subject of a call; empty for a call that names several. */
  Optional<String> namedSubject(ObjectNode arguments) {
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

  /** Returns a request for the separate operation that supersedes a note. */
  private static OperationRequest supersedeRequest(ObjectNode input) {
    ObjectNode whole = Json.mapper().createObjectNode();
    whole.set("id", input.remove(REPLACES));
    move(input, FENCE, whole);
    whole.set("note", input);
    return OperationRequest.of("supersede_note", whole);
  }
}
