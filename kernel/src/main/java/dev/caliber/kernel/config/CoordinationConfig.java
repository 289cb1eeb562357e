package dev.caliber.kernel.config;

import dev.caliber.kernel.settings.SettingRange;
import java.time.Duration;

/**
 * Timeouts of coordination between agents.
 *
 * @param leaseDuration how long a lock is held unless it is renewed
 * @param messageRetention how long acknowledged messages are kept
 * @param delegationTimeout how long a delegation may remain unanswered
 */
public record CoordinationConfig(
    @SettingRange("1ms to 36500d") Duration leaseDuration,
    @SettingRange("1ms to 36500d") Duration messageRetention,
    @SettingRange("1ms to 36500d") Duration delegationTimeout) {}
