package dev.caliber.server.mcp;

import dev.caliber.kernel.Json;
import dev.caliber.server.operation.InputTextCheck;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One message of a client.
 *
 * @param id empty: a notification, which gets no answer
 * @param method empty: an answer to a request that the server never sends
 */
record JsonRpcMessage(Optional<JsonNode> id, String method, ObjectNode params) {
  private static final String RPC_VERSION = "2.0";

  /** The most characters of an id, which a subscription keeps and repeats in every message. */
  private static final int ID_BOUND = 1024;

  /** Parses a body; a body of another shape is refused with a JSON-RPC error code. */
  static ObjectNode parseObject(byte[] body) {
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

  /** Returns the id of a message that may otherwise be invalid. */
  static Optional<JsonNode> parseId(ObjectNode object) {
    JsonNode id = object.path("id");
    boolean known =
        id.isIntegralNumber() || (id.isString() && InputTextCheck.findFault(id).isEmpty());
    return known && id.asString().length() <= ID_BOUND ? Optional.of(id) : Optional.empty();
  }

  static JsonRpcMessage of(ObjectNode object) {
    if (!object.path("jsonrpc").asString("").equals(RPC_VERSION)) {
      throw McpException.invalidRequest("\"jsonrpc\": \"2.0\"");
    }
    if (object.has("id") && parseId(object).isEmpty()) {
      throw McpException.invalidRequest(
          "a text or a whole number of at most %d characters as id".formatted(ID_BOUND));
    }
    JsonRpcMessage jsonRpcMessage =
        new JsonRpcMessage(parseId(object), parseMethod(object), parseParams(object));
    jsonRpcMessage.requireText();
    return jsonRpcMessage;
  }

  /** Refuses unstorable text, except in arguments, which their tool checks. */
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
    InputTextCheck.findFault(own)
        .ifPresent(
            textFault -> {
              throw McpException.invalidParams(
                  "%s (at %s)".formatted(textFault.reason(), textFault.pointer()));
            });
  }

  private static String parseMethod(ObjectNode object) {
    JsonNode method = object.path("method");
    if (method.isString() && !method.asString().isEmpty()) {
      return method.asString();
    }
    if (!object.has("method") && (object.has("result") || object.has("error"))) {
      return "";
    }
    throw McpException.invalidRequest("the name of a method");
  }

  private static ObjectNode parseParams(ObjectNode object) {
    JsonNode params = object.path("params");
    if (params.isMissingNode()) {
      return Json.mapper().createObjectNode();
    }
    if (params instanceof ObjectNode named) {
      return named;
    }
    throw McpException.invalidRequest("params by name");
  }

  boolean isReplyExpected() {
    return id.isPresent() && !method.isEmpty();
  }

  JsonNode meta() {
    return params.path(McpConstants.META);
  }

  /** Returns the protocol revision that the message itself declares. */
  Optional<String> declaredVersion() {
    JsonNode version = meta().path(McpConstants.VERSION_KEY);
    return version.isMissingNode() ? Optional.empty() : Optional.of(version.asString(""));
  }

  /** Returns the value that {@code Mcp-Name} has to repeat. */
  Optional<String> expectedNameHeader() {
    return switch (method) {
      case "tools/call", "prompts/get" -> Optional.of(params.path("name").asString(""));
      case "resources/read" -> Optional.of(params.path("uri").asString(""));
      default -> Optional.empty();
    };
  }

  /** Returns an optional parameter; null counts as absent. */
  Optional<JsonNode> optionalParameter(String name) {
    return Optional.of(params.path(name))
        .filter(value -> !value.isMissingNode() && !value.isNull());
  }

  /** Returns a required text parameter. */
  String requiredText(String name) {
    JsonNode value = params.path(name);
    if (!value.isString()) {
      throw McpException.invalidParams("'%s' is missing or is not a text".formatted(name));
    }
    return value.asString();
  }
}
