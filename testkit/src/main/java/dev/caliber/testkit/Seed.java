package dev.caliber.testkit;

import dev.caliber.kernel.RandomSource;
import org.slf4j.LoggerFactory;

/**
 * Seed of this run: a new one each time, or the one that {@code -Dcaliber.seed} names to repeat a
 * failure.
 */
public final class Seed {
  /** Seed, printed when it is drawn. */
  public static final long VALUE =
      Long.getLong("caliber.seed", RandomSource.system().nextInt(1 << 30));

  static {
    LoggerFactory.getLogger(Seed.class).info("This run's seed: -Dcaliber.seed={}", VALUE);
  }

  private Seed() {}
}
