/**
 * The Model Context Protocol, revisions 2025-11-25 and 2026-07-28: {@link McpProtocol} takes a
 * message and gives a {@link Reply}, and knows nothing of how either travels.
 */
@NullMarked
package dev.caliber.server.mcp;

import org.jspecify.annotations.NullMarked;
