package dev.caliber.server.mcp;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/**
 * The headers that a transport sends beside a message.
 *
 * @param version {@code MCP-Protocol-Version}
 * @param method {@code Mcp-Method}
 * @param name {@code Mcp-Name}, as it was sent
 */
public record McpHeaders(Optional<String> version, Optional<String> method, Optional<String> name) {
  private static final String ENCODED_START = "=?base64?";
  private static final String ENCODED_END = "?=";

  /** Refuses headers that contradict the body. */
  void checkAgainst(JsonRpcMessage jsonRpcMessage, String declared) {
    requireHeader("MCP-Protocol-Version", version, declared);
    requireHeader("Mcp-Method", method, jsonRpcMessage.method());
    Optional<String> named = jsonRpcMessage.expectedNameHeader();
    if (named.isPresent()) {
      requireHeader("Mcp-Name", name.map(McpHeaders::decode), named.get());
    }
  }

  private static void requireHeader(String header, Optional<String> found, String wanted) {
    if (found.isEmpty()) {
      throw McpException.headerMismatch(header, "is missing");
    }
    if (!found.get().equals(wanted)) {
      throw McpException.headerMismatch(header, "differs from the body");
    }
  }

  private static String decode(String value) {
    if (!value.startsWith(ENCODED_START)
        || !value.endsWith(ENCODED_END)
        || value.length() < ENCODED_START.length() + ENCODED_END.length()) {
      return value;
    }
    String inner = value.substring(ENCODED_START.length(), value.length() - ENCODED_END.length());
    try {
      return new String(Base64.getDecoder().decode(inner), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException _) {
      throw McpException.headerMismatch("Mcp-Name", "is not Base64");
    }
  }
}
