package dev.caliber.server.mcp;

import dev.caliber.kernel.Json;
import dev.caliber.server.operation.InputText;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One message of a client.
 *
 * @param id empty: a notification, which nobody answers
 * @param method empty: an answer to something that was never asked here
 */
record Message(Optional<JsonNode> id, String method, ObjectNode params) {
  private static final String RPC_VERSION = "2.0";

  /** A subscription keeps its id and repeats it with all that it says. */
  private static final int ID_BOUND = 1024;

  /** Reads a body; what it is not gets said with the number of JSON-RPC. */
  static ObjectNode object(byte[] body) {
    try {
      JsonNode read = Json.mapper().readTree(body);
      if (read instanceof ObjectNode object) {
        return object;
      }
    } catch (JacksonException _) {
      throw McpException.unreadable();
    }
    throw McpException.invalidRequest("one JSON-RPC message as an object");
  }

  /** The id of a message that may be wrong otherwise. */
  static Optional<JsonNode> id(ObjectNode object) {
    JsonNode id = object.path("id");
    boolean known = id.isIntegralNumber() || (id.isString() && InputText.fault(id).isEmpty());
    return known && id.asString().length() <= ID_BOUND ? Optional.of(id) : Optional.empty();
  }

  static Message of(ObjectNode object) {
    if (!object.path("jsonrpc").asString("").equals(RPC_VERSION)) {
      throw McpException.invalidRequest("\"jsonrpc\": \"2.0\"");
    }
    if (object.has("id") && id(object).isEmpty()) {
      throw McpException.invalidRequest(
          "a text or a whole number of at most %d characters as id".formatted(ID_BOUND));
    }
    Message message = new Message(id(object), method(object), params(object));
    message.requireText();
    return message;
  }

  /** The arguments are left to their tool, which answers a mistake with a result. */
  private void requireText() {
    ObjectNode own = Json.mapper().createObjectNode().put("method", method);
    ObjectNode around = own.putObject("params");
    params
        .properties()
        .forEach(
            each -> {
              if (!each.getKey().equals("arguments")) {
                around.set(each.getKey(), each.getValue());
              }
            });
    InputText.fault(own)
        .ifPresent(
            fault -> {
              throw McpException.invalidParams(
                  "%s (at %s)".formatted(fault.reason(), fault.pointer()));
            });
  }

  private static String method(ObjectNode object) {
    JsonNode method = object.path("method");
    if (method.isString() && !method.asString().isEmpty()) {
      return method.asString();
    }
    if (!object.has("method") && (object.has("result") || object.has("error"))) {
      return "";
    }
    throw McpException.invalidRequest("the name of a method");
  }

  private static ObjectNode params(ObjectNode object) {
    JsonNode params = object.path("params");
    if (params.isMissingNode()) {
      return Json.mapper().createObjectNode();
    }
    if (params instanceof ObjectNode named) {
      return named;
    }
    throw McpException.invalidRequest("params by name");
  }

  boolean isAnswered() {
    return id.isPresent() && !method.isEmpty();
  }

  JsonNode meta() {
    return params.path(McpFormat.META);
  }

  /** The revision that the message itself declares. */
  Optional<String> declaredVersion() {
    JsonNode version = meta().path(McpFormat.VERSION_KEY);
    return version.isMissingNode() ? Optional.empty() : Optional.of(version.asString(""));
  }

  /** What {@code Mcp-Name} has to repeat. */
  Optional<String> subject() {
    return switch (method) {
      case "tools/call", "prompts/get" -> Optional.of(params.path("name").asString(""));
      case "resources/read" -> Optional.of(params.path("uri").asString(""));
      default -> Optional.empty();
    };
  }

  /** A parameter that may be missing; null says the same. */
  Optional<JsonNode> optional(String name) {
    return Optional.of(params.path(name))
        .filter(value -> !value.isMissingNode() && !value.isNull());
  }

  /** A parameter that has to be there, as a text. */
  String text(String name) {
    JsonNode value = params.path(name);
    if (!value.isString()) {
      throw McpException.invalidParams("Wanted '%s' as a text, found none".formatted(name));
    }
    return value.asString();
  }
}
