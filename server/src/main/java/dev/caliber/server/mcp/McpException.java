package dev.caliber.server.mcp;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.Json;
import dev.caliber.server.operation.RequestId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** An error of the protocol itself. */
@SuppressWarnings("serial") // never serialised
final class McpException extends CaliberException {
  private final McpErrorCode number;
  private final Optional<Map<String, Object>> data;

  private McpException(McpErrorCode code, String message, Optional<Map<String, Object>> data) {
    super(code, message);
    this.number = code;
    this.data = data;
  }

  private McpException(McpErrorCode code, String message) {
    this(code, message, Optional.empty());
  }

  McpErrorCode errorCode() {
    return number;
  }

  Optional<JsonNode> data() {
    return data.map(map -> Json.mapper().valueToTree(map));
  }

  static McpException unreadable() {
    return new McpException(
        McpErrorCode.PARSE_ERROR, "The message is not one JSON value within the limits");
  }

  static McpException invalidRequest(String wanted) {
    return new McpException(
        McpErrorCode.INVALID_REQUEST,
        "The JSON-RPC request is not valid: expected %s".formatted(wanted));
  }

  static McpException unknownMethod(String method) {
    return new McpException(
        McpErrorCode.METHOD_NOT_FOUND, "There is no method '%s'".formatted(method));
  }

  static McpException invalidParams(String reason) {
    return new McpException(McpErrorCode.INVALID_PARAMS, reason);
  }

  /**
   * Uses {@code RESOURCE_NOT_FOUND}, which only older revisions have, or {@code INVALID_PARAMS}.
   */
  static McpException unknownResource(String uri, boolean modern) {
    return new McpException(
        modern ? McpErrorCode.INVALID_PARAMS : McpErrorCode.RESOURCE_NOT_FOUND,
        "There is no resource '%s'".formatted(uri),
        Optional.of(Map.of("uri", uri)));
  }

  static McpException headerMismatch(String header, String reason) {
    return new McpException(
        McpErrorCode.HEADER_MISMATCH, "Header mismatch: %s %s".formatted(header, reason));
  }

  static McpException unsupportedVersion(String requested) {
    Map<String, Object> facts =
        Map.of("supported", List.copyOf(McpConstants.VERSIONS), "requested", requested);
    return new McpException(
        McpErrorCode.UNSUPPORTED_PROTOCOL_VERSION,
        "Unsupported protocol version",
        Optional.of(facts));
  }

  /** Refers to the log, which has the cause under the id of the request. */
  static McpException internal() {
    return new McpException(
        McpErrorCode.INTERNAL_ERROR,
        "An internal error occurred; the server's log has the cause",
        RequestId.current().map(id -> Map.of("request_id", id)));
  }
}
