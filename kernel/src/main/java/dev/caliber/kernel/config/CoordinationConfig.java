package dev.caliber.kernel.config;

import dev.caliber.kernel.settings.Section;
import dev.caliber.kernel.settings.Settings;
import java.time.Duration;

/**
 * How long agents wait for each other.
 *
 * @param lockTimeout how long a lock is held unless it is renewed
 * @param messageRetention how long messages that were acknowledged are kept
 * @param delegationTimeout how long a delegation may stay unanswered
 */
public record CoordinationConfig(
    Duration lockTimeout, Duration messageRetention, Duration delegationTimeout) {
  public CoordinationConfig {
    Ranges.requirePositive("lock-timeout", lockTimeout);
    Ranges.requirePositive("message-retention", messageRetention);
    Ranges.requirePositive("delegation-timeout", delegationTimeout);
  }

  static CoordinationConfig from(Settings settings) {
    Section section = settings.section("coordination");
    return new CoordinationConfig(
        time(section, "lock-timeout"),
        time(section, "message-retention"),
        time(section, "delegation-timeout"));
  }

  private static Duration time(Section section, String key) {
    return section.duration(key, ConfigBounds.MIN_TIME, ConfigBounds.MAX_TIME);
  }
}
