package dev.caliber.server.mcp;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/**
 * What a transport says about a message beside its body.
 *
 * @param version {@code MCP-Protocol-Version}
 * @param method {@code Mcp-Method}
 * @param name {@code Mcp-Name}, as it was sent
 */
public record Headers(Optional<String> version, Optional<String> method, Optional<String> name) {
  private static final String ENCODED_START = "=?base64?";
  private static final String ENCODED_END = "?=";

  /** Refuses what says something else than the body. */
  void check(Message message, String declared) {
    require("MCP-Protocol-Version", version, declared);
    require("Mcp-Method", method, message.method());
    Optional<String> named = message.subject();
    if (named.isPresent()) {
      require("Mcp-Name", name.map(Headers::decoded), named.get());
    }
  }

  private static void require(String header, Optional<String> found, String wanted) {
    if (found.isEmpty()) {
      throw McpException.headerMismatch(header, "is missing");
    }
    if (!found.get().equals(wanted)) {
      throw McpException.headerMismatch(header, "says something else than the body");
    }
  }

  private static String decoded(String value) {
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
