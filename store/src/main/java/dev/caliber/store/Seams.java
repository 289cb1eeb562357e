package dev.caliber.store;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.Ids;
import java.time.Clock;

/**
 * What the store takes from outside.
 *
 * @param host the store's own name among those that write to a space
 */
record Seams(Clock clock, Ids ids, Id host) {}
