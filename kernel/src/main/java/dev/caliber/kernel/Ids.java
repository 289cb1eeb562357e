package dev.caliber.kernel;

import java.time.Clock;

/**
 * Makes new ids: UUIDs of version 7, each greater than all that this source gave before, from any
 * thread.
 */
@FunctionalInterface
public interface Ids {
  Id next();

  /** A process has one source of ids; two sources are each monotonic, but not with each other. */
  static Ids of(Clock clock, Chance chance) {
    return new CountedIds(clock, chance);
  }
}
