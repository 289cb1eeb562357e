/** Measurements of the server and of Studio. Start at {@link ServerBench}. */
@NullMarked
package dev.caliber.bench.server;

import org.jspecify.annotations.NullMarked;
