package dev.caliber.kernel;

import java.time.Clock;

/**
 * Generator of new ids: UUIDs of version 7, each greater than all that this generator returned
 * before, from any thread.
 */
@FunctionalInterface
public interface IdGenerator {
  Id next();

  /**
   * Returns a generator. A process has one: two generators are each monotonic, but not with each
   * other.
   */
  static IdGenerator of(Clock clock, RandomSource randomSource) {
    return new MonotonicIdGenerator(clock, randomSource);
  }
}
