/**
 * Commands that start a server or set one up: serve, mcp, connect, init and config. Start at {@link
 * ServerRunner}.
 */
@NullMarked
package dev.caliber.app.serve;

import org.jspecify.annotations.NullMarked;
