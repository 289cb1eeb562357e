package dev.caliber.server;

import dev.caliber.kernel.Json;
import dev.caliber.server.TestServer.Reply;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Pattern;
import org.jspecify.annotations.NullMarked;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A hand-written client of the protocol, for messages that no real client sends. */
@NullMarked
record McpCaller(TestServer server) {
  private static final Pattern SURROGATE = Pattern.compile("[\\x{d800}-\\x{dfff}]");
  static final String MODERN = "2026-07-28";

  HttpRequest.Builder request() {
    return HttpRequest.newBuilder(server.uri("/mcp"))
        .header("Accept", "application/json, text/event-stream");
  }

  Reply raw(String body) {
    return server.send(TestServer.json(request(), escaped(body)));
  }

  /** Returns JSON with escaped surrogates: an unpaired one could not be sent otherwise. */
  static String escaped(String json) {
    return SURROGATE
        .matcher(json)
        .replaceAll(found -> "\\\\u%04x".formatted((int) found.group().charAt(0)));
  }

  /** Sends a message like a client with a handshake. */
  Reply legacy(String method, String params) {
    return raw(message(method, (ObjectNode) Json.mapper().readTree(params)).toString());
  }

  /** Sends a message like a client without one. */
  Reply modern(String method, String params) {
    ObjectNode named = declaring((ObjectNode) Json.mapper().readTree(params), MODERN);
    String subject = named.path("name").asString(named.path("uri").asString(""));
    return server.send(
        TestServer.json(request(), message(method, named).toString())
            .header("MCP-Protocol-Version", MODERN)
            .header("Mcp-Method", method)
            .header("Mcp-Name", encoded(subject)));
  }

  private static String encoded(String name) {
    return "=?base64?%s?="
        .formatted(Base64.getEncoder().encodeToString(name.getBytes(StandardCharsets.UTF_8)));
  }

  static ObjectNode message(String method, ObjectNode params) {
    ObjectNode message = Json.mapper().createObjectNode();
    message.put("jsonrpc", "2.0").put("id", 1).put("method", method).set("params", params);
    return message;
  }

  static ObjectNode declaring(ObjectNode params, String version) {
    ObjectNode meta = params.putObject("_meta");
    meta.put("io.modelcontextprotocol/protocolVersion", version);
    meta.putObject("io.modelcontextprotocol/clientCapabilities");
    return params;
  }

  /** Calls a tool and returns its answer. */
  JsonNode call(String tool, String arguments) {
    Reply reply =
        modern("tools/call", "{\"name\": \"%s\", \"arguments\": %s}".formatted(tool, arguments));
    return reply.body().path("result");
  }

  JsonNode answer(String tool, String arguments) {
    return call(tool, arguments).path("structuredContent");
  }
}
