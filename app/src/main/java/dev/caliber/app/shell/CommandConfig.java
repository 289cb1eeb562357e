package dev.caliber.app.shell;

import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.settings.SettingRange;
import java.time.Duration;

/** The {@code [command]} section of {@code caliber.toml}; the starter file explains every key. */
public record CommandConfig(
    SpaceId defaultSpace,
    @SettingRange("1ms to 1h") Duration serverTimeout,
    @SettingRange("1ms to 1h") Duration storeLockTimeout,
    RecallCommandSettings recall) {

  /** Settings of the recall command. */
  public record RecallCommandSettings(
      @SettingRange("1 to 1000 hits") int defaultLimit,
      @SettingRange("0 to 1000000 texts") int embeddingLimit) {}
}
