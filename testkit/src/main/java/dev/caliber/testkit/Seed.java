package dev.caliber.testkit;

import dev.caliber.kernel.Chance;
import org.slf4j.LoggerFactory;

/**
 * The seed of this run: another one each time, and the one that {@code -Dcaliber.seed} names when a
 * failure is to be seen again.
 */
public final class Seed {
  /** Printed when it is drawn. */
  public static final long VALUE = Long.getLong("caliber.seed", Chance.system().nextInt(1 << 30));

  static {
    LoggerFactory.getLogger(Seed.class).info("This run's seed: -Dcaliber.seed={}", VALUE);
  }

  private Seed() {}
}
