/** API keys: who may call, and what each may do where. Start at {@link Keys}. */
@NullMarked
package dev.caliber.server.access;

import org.jspecify.annotations.NullMarked;
