package dev.caliber.store.jdbc;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.IdGenerator;
import java.time.Clock;

/**
 * Dependencies of the store.
 *
 * @param host the store's own name among those that write to a space
 */
record StoreDependencies(Clock clock, IdGenerator ids, Id host) {}
