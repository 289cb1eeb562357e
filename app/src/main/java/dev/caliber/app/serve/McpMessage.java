package dev.caliber.app.serve;

import dev.caliber.kernel.Json;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A client's line, parsed as far as HTTP headers require. */
@SuppressWarnings("ArrayRecordComponent")
public // forwarded once, never compared
record McpMessage(byte[] line, JsonNode content) {
  private static final String VERSION_KEY = "io.modelcontextprotocol/protocolVersion";
  private static final Pattern SAFE = Pattern.compile("[\\x21-\\x7e]+");
  private static final int INTERNAL_ERROR = -32603;
  private static final int INVALID_REQUEST = -32600;

  /** Parses a line; an invalid one is forwarded too, and the server reports its error. */
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

  /** Returns the id that an answer has to repeat; empty if there will be none. */
  Optional<JsonNode> id() {
    JsonNode id = content.path("id");
    return id.isMissingNode() || method().isEmpty() ? Optional.empty() : Optional.of(id);
  }

  /** Returns the id of the request that the client cancels. */
  Optional<JsonNode> cancelledRequest() {
    return method().equals("notifications/cancelled")
        ? Optional.of(content.path("params").path("requestId"))
        : Optional.empty();
  }

  /** Returns whether the request's answer is a stream without an end. */
  boolean isStream() {
    return method().equals("subscriptions/listen");
  }

  HttpRequest.Builder addHeaders(HttpRequest.Builder request) {
    JsonNode params = content.path("params");
    String version = params.path("_meta").path(VERSION_KEY).asString("");
    addHeader(request, "MCP-Protocol-Version", version);
    addHeader(request, "Mcp-Method", method());
    String name = params.path("name").asString(params.path("uri").asString(""));
    if (!name.isEmpty()) {
      addHeader(request, "Mcp-Name", "=?base64?%s?=".formatted(base64(name)));
    }
    return request;
  }

  private static String base64(String name) {
    return Base64.getEncoder().encodeToString(name.getBytes(StandardCharsets.UTF_8));
  }

  /** Adds a header; a value that no header can hold is left out, and refused by the server. */
  private static void addHeader(HttpRequest.Builder request, String header, String value) {
    if (SAFE.matcher(value).matches()) {
      request.header(header, value);
    }
  }

  /** Returns a message as one line, however the server has formatted it. */
  public static String toSingleLine(String message) {
    try {
      return message.lines().count() == 1 ? message.strip() : Json.text(parse(message));
    } catch (JacksonException _) {
      return message.replaceAll("\\R", " ");
    }
  }

  private static JsonNode parse(String message) {
    return Json.mapper().readTree(message);
  }

  /** Returns the error answer for a request that did not reach the server. */
  Optional<String> errorAnswer(String reason) {
    return id().map(id -> errorJson(Optional.of(id), INTERNAL_ERROR, reason));
  }

  static String tooLongError(long limit) {
    return errorJson(
        Optional.empty(),
        INVALID_REQUEST,
        "Expected at most %d bytes, found more".formatted(limit));
  }

  private static String errorJson(Optional<JsonNode> id, int code, String reason) {
    ObjectNode message = Json.mapper().createObjectNode().put("jsonrpc", "2.0");
    id.ifPresent(known -> message.set("id", known));
    message.putObject("error").put("code", code).put("message", reason);
    return Json.text(message);
  }
}
