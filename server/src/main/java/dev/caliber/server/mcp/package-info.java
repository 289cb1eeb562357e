/**
 * The Model Context Protocol, revisions 2025-11-25 and 2026-07-28: {@link McpProtocol} answers a
 * message with a {@link McpReply}, independent of the transport.
 */
@NullMarked
package dev.caliber.server.mcp;

import org.jspecify.annotations.NullMarked;
