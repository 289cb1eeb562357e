package dev.caliber.kernel.config;

import dev.caliber.kernel.settings.Settings;
import dev.caliber.kernel.settings.SettingsSection;
import java.time.Duration;

/**
 * Timeouts of coordination between agents.
 *
 * @param leaseDuration how long a lock is held unless it is renewed
 * @param messageRetention how long acknowledged messages are kept
 * @param delegationTimeout how long a delegation may remain unanswered
 */
public record CoordinationConfig(
    Duration leaseDuration, Duration messageRetention, Duration delegationTimeout) {
  public CoordinationConfig {
    Ranges.requirePositive("lease-duration", leaseDuration);
    Ranges.requirePositive("message-retention", messageRetention);
    Ranges.requirePositive("delegation-timeout", delegationTimeout);
  }

  static CoordinationConfig from(Settings settings) {
    SettingsSection settingsSection = settings.section("coordination");
    return new CoordinationConfig(
        time(settingsSection, "lease-duration"),
        time(settingsSection, "message-retention"),
        time(settingsSection, "delegation-timeout"));
  }

  private static Duration time(SettingsSection settingsSection, String key) {
    return settingsSection.duration(key, ConfigBounds.MIN_TIME, ConfigBounds.MAX_TIME);
  }
}
