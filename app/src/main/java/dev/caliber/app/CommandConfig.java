package dev.caliber.app;

import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.settings.Settings;
import dev.caliber.kernel.settings.SettingsSection;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;

/** The {@code [command]} section of {@code caliber.toml}; the starter file explains every key. */
record CommandConfig(
    SpaceId defaultSpace,
    Duration serverTimeout,
    Duration storeLockTimeout,
    RecallCommandSettings recall) {
  private static final String STARTER = "starter.toml";
  private static final Duration SHORTEST_BOUND = Duration.ofMillis(1);
  private static final Duration PATIENCE_BOUND = Duration.ofHours(1);
  private static final int HITS_BOUND = 1000;
  private static final int EMBEDS_BOUND = 1_000_000;

  /** Settings of the recall command. */
  record RecallCommandSettings(int defaultLimit, int embeddingLimit) {}

  /** Returns the jar's own {@code [command]} section, with a sentence for every key. */
  static String starterText() {
    try (InputStream in =
        Objects.requireNonNull(CommandConfig.class.getResourceAsStream(STARTER), STARTER)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads the {@code [command]} section; the caller verifies the settings once all are read. */
  static CommandConfig from(Settings settings) {
    SettingsSection recall = settings.section("command.recall");
    return new CommandConfig(
        space(settings.section("command")),
        settings.section("command").duration("server-timeout", SHORTEST_BOUND, PATIENCE_BOUND),
        settings.section("command").duration("store-lock-timeout", SHORTEST_BOUND, PATIENCE_BOUND),
        new RecallCommandSettings(
            recall.withUnit("hits").wholeNumber("default-limit", 1, HITS_BOUND),
            recall.withUnit("texts").wholeNumber("embedding-limit", 0, EMBEDS_BOUND)));
  }

  private static SpaceId space(SettingsSection settingsSection) {
    String name = settingsSection.text("default-space");
    try {
      return new SpaceId(name);
    } catch (KernelException e) {
      settingsSection.reject(
          "default-space",
          where ->
              KernelException.invalidSetting(
                  where, "command.default-space", String.valueOf(e.getMessage())));
      return SpaceId.DEFAULT; // not used: the settings are refused
    }
  }
}
