/**
 * A model with memory behind OpenAI's API: requests are extended by a window of memory, and the
 * conversation is recorded. Start at {@link ChatProxy}; the package does not depend on a web
 * server.
 */
@NullMarked
package dev.caliber.server.proxy;

import org.jspecify.annotations.NullMarked;
