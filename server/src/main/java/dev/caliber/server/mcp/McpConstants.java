package dev.caliber.server.mcp;

import java.util.List;

/** Constants of the protocol. */
final class McpConstants {
  static final String MODERN = "2026-07-28";
  static final String LEGACY = "2025-11-25";

  /** Revisions that begin with a handshake, newest first. */
  static final List<String> LEGACY_VERSIONS = List.of(LEGACY, "2025-06-18");

  /** All supported revisions, newest first. */
  static final List<String> VERSIONS = List.of(MODERN, LEGACY, "2025-06-18");

  static final int PARSE_ERROR = -32700;
  static final int INVALID_REQUEST = -32600;
  static final int METHOD_NOT_FOUND = -32601;
  static final int INVALID_PARAMS = -32602;
  static final int INTERNAL_ERROR = -32603;

  /** The error code of revisions with a handshake; later ones use {@link #INVALID_PARAMS}. */
  static final int RESOURCE_NOT_FOUND = -32002;

  static final int HEADER_MISMATCH = -32020;
  static final int UNSUPPORTED_PROTOCOL_VERSION = -32022;

  static final String META = "_meta";
  static final String VERSION_KEY = "io.modelcontextprotocol/protocolVersion";
  static final String CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities";
  static final String SERVER_KEY = "io.modelcontextprotocol/serverInfo";
  static final String SUBSCRIPTION_KEY = "io.modelcontextprotocol/subscriptionId";

  private McpConstants() {}
}
