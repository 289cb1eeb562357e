package dev.caliber.server.mcp;

import dev.caliber.kernel.Json;
import dev.caliber.server.operation.ApiContract;
import dev.caliber.server.operation.Operation;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The definition of a tool as clients see it. Its file has the texts for models and names the
 * arguments; types, required arguments and the answer come from the contract. A tool whose
 * operation the contract does not have brings its own schemas.
 *
 * @param entry the tool in the file
 * @param renamed the arguments that have another name in the operation
 */
record ToolDefinition(JsonNode entry, Operation<?, ?> operation, Map<String, String> renamed) {
  private static final String PROPERTIES = "properties";
  private static final String REQUIRED = "required";
  private static final String DESCRIPTION = "description";
  private static final String INPUT = "inputSchema";
  private static final String OUTPUT = "outputSchema";

  private static final String FENCE_TEXT =
      "Only while you hold this lock: its resource, and the token that acquire_lease answered with.";

  /** The levels of references that the schema of an answer follows; models read no more. */
  private static final int ANSWER_DEPTH_BOUND = 3;

  private static final int ARGUMENT_DEPTH_BOUND = 8;

  ObjectNode toJson() {
    ObjectNode tool = Json.mapper().createObjectNode();
    for (String text : new String[] {"name", "title", DESCRIPTION}) {
      tool.set(text, entry.path(text));
    }
    ObjectNode input = entry.has(INPUT) ? (ObjectNode) entry.path(INPUT).deepCopy() : arguments();
    if (entry.path("fenced").asBoolean(false)) {
      input
          .withObject(PROPERTIES)
          .set(
              McpTool.FENCE,
              ((ObjectNode)
                      inline(ApiContract.instance().schemas().path("Fence"), ARGUMENT_DEPTH_BOUND))
                  .put(DESCRIPTION, FENCE_TEXT));
    }
    input.set("examples", entry.path("examples"));
    tool.set(INPUT, input);
    tool.set(OUTPUT, entry.has(OUTPUT) ? entry.path(OUTPUT) : answer());
    tool.set("annotations", annotations());
    return tool;
  }

  private ObjectNode arguments() {
    ObjectNode known = ApiContract.instance().inputProperties(operation.name());
    Set<String> needed = ApiContract.instance().requiredProperties(operation.name());
    ObjectNode schema = Json.mapper().createObjectNode().put("type", "object");
    ObjectNode properties = schema.putObject(PROPERTIES);
    ArrayNode required = Json.mapper().createArrayNode();
    for (Map.Entry<String, JsonNode> argument : entry.path("arguments").properties()) {
      String name = renamed.getOrDefault(argument.getKey(), argument.getKey());
      properties.set(
          argument.getKey(),
          argument.getValue().isString()
              ? ((ObjectNode) inline(known.path(name), ARGUMENT_DEPTH_BOUND))
                  .put(DESCRIPTION, argument.getValue().asString())
              : argument.getValue());
      if (needed.contains(name)) {
        required.add(argument.getKey());
      }
    }
    if (!required.isEmpty()) {
      schema.set(REQUIRED, required);
    }
    return schema;
  }

  private JsonNode answer() {
    return inline(ApiContract.instance().answerSchema(operation.name()), ANSWER_DEPTH_BOUND);
  }

  private ObjectNode annotations() {
    return Json.mapper()
        .createObjectNode()
        .put("readOnlyHint", operation.isReadOnly())
        .put("destructiveHint", hasHint("destructive"))
        .put("idempotentHint", operation.isReadOnly() || hasHint("idempotent"))
        .put("openWorldHint", false);
  }

  private boolean hasHint(String hint) {
    return entry.path("hints").valueStream().anyMatch(one -> one.asString().equals(hint));
  }

  /**
   * Returns the schema with its references replaced; below the last level only the type is left.
   */
  private static JsonNode inline(JsonNode schema, int levels) {
    JsonNode found = ApiContract.instance().resolve(schema);
    if (found instanceof ArrayNode array) {
      ArrayNode copy = Json.mapper().createArrayNode();
      array.forEach(one -> copy.add(inline(one, levels)));
      return copy;
    }
    if (!(found instanceof ObjectNode object)) {
      return found;
    }
    ObjectNode copy = Json.mapper().createObjectNode();
    boolean whole = levels > 0 || !object.has(PROPERTIES);
    object.properties().stream()
        .filter(one -> whole || one.getKey().equals("type"))
        .forEach(
            one ->
                copy.set(
                    one.getKey(),
                    inline(one.getValue(), one.getKey().equals(PROPERTIES) ? levels - 1 : levels)));
    return copy;
  }
}
