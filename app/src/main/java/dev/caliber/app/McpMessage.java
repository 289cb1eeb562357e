package dev.caliber.app;

import dev.caliber.kernel.Json;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A line of a client, as far as a bridge has to understand it: what HTTP wants to have beside it.
 */
@SuppressWarnings("ArrayRecordComponent") // handed on once, compared by nobody
record McpMessage(byte[] line, JsonNode content) {
  private static final String VERSION_KEY = "io.modelcontextprotocol/protocolVersion";
  private static final Pattern SAFE = Pattern.compile("[\\x21-\\x7e]+");
  private static final int INTERNAL_ERROR = -32603;
  private static final int INVALID_REQUEST = -32600;

  /** Whatever it is: the server says what is wrong with it. */
  static McpMessage of(byte[] line) {
    try {
      return new McpMessage(line, Json.mapper().readTree(line));
    } catch (JacksonException _) {
      return new McpMessage(line, Json.mapper().missingNode());
    }
  }

  String method() {
    return content.path("method").asString("");
  }

  /** What an answer has to repeat; empty if there will be none. */
  Optional<JsonNode> id() {
    JsonNode id = content.path("id");
    return id.isMissingNode() || method().isEmpty() ? Optional.empty() : Optional.of(id);
  }

  /** The request that a client no longer waits for. */
  Optional<JsonNode> cancelled() {
    return method().equals("notifications/cancelled")
        ? Optional.of(content.path("params").path("requestId"))
        : Optional.empty();
  }

  /** Lasts until somebody ends it. */
  boolean isStream() {
    return method().equals("subscriptions/listen");
  }

  HttpRequest.Builder describe(HttpRequest.Builder request) {
    JsonNode params = content.path("params");
    String version = params.path("_meta").path(VERSION_KEY).asString("");
    put(request, "MCP-Protocol-Version", version);
    put(request, "Mcp-Method", method());
    String name = params.path("name").asString(params.path("uri").asString(""));
    if (!name.isEmpty()) {
      put(request, "Mcp-Name", "=?base64?%s?=".formatted(encoded(name)));
    }
    return request;
  }

  private static String encoded(String name) {
    return Base64.getEncoder().encodeToString(name.getBytes(StandardCharsets.UTF_8));
  }

  /** What no header can hold is left out, and missed by the server. */
  private static void put(HttpRequest.Builder request, String header, String value) {
    if (SAFE.matcher(value).matches()) {
      request.header(header, value);
    }
  }

  /** A message as one line, however its server has laid it out. */
  static String line(String message) {
    try {
      return message.lines().count() == 1 ? message.strip() : Json.text(read(message));
    } catch (JacksonException _) {
      return message.replaceAll("\\R", " ");
    }
  }

  private static JsonNode read(String message) {
    return Json.mapper().readTree(message);
  }

  /** To say that nobody could be asked. */
  Optional<String> failure(String reason) {
    return id().map(id -> error(Optional.of(id), INTERNAL_ERROR, reason));
  }

  static String tooLong(long limit) {
    return error(
        Optional.empty(), INVALID_REQUEST, "Wanted at most %d bytes, found more".formatted(limit));
  }

  private static String error(Optional<JsonNode> id, int code, String reason) {
    ObjectNode message = Json.mapper().createObjectNode().put("jsonrpc", "2.0");
    id.ifPresent(known -> message.set("id", known));
    message.putObject("error").put("code", code).put("message", reason);
    return Json.text(message);
  }
}
