package dev.caliber.app;

import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.settings.Section;
import dev.caliber.kernel.settings.Settings;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;

/** The {@code [command]} part of {@code caliber.toml}; the starter file explains every key. */
record CommandConfig(SpaceId space, Duration patience, Duration turn, Recall recall) {
  private static final String STARTER = "starter.toml";
  private static final Duration SHORTEST_BOUND = Duration.ofMillis(1);
  private static final Duration PATIENCE_BOUND = Duration.ofHours(1);
  private static final int HITS_BOUND = 1000;
  private static final int EMBEDS_BOUND = 1_000_000;

  /** What recall goes by. */
  record Recall(int limit, int embeds) {}

  /** The jar's own {@code [command]} part, with a sentence for every key. */
  static String starterText() {
    try (InputStream in =
        Objects.requireNonNull(CommandConfig.class.getResourceAsStream(STARTER), STARTER)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads the {@code [command]} part; the caller verifies the settings once all are read. */
  static CommandConfig from(Settings settings) {
    Section recall = settings.section("command.recall");
    return new CommandConfig(
        space(settings.section("command")),
        settings.section("command").duration("patience", SHORTEST_BOUND, PATIENCE_BOUND),
        settings.section("command").duration("turn", SHORTEST_BOUND, PATIENCE_BOUND),
        new Recall(
            recall.in("hits").whole("limit", 1, HITS_BOUND),
            recall.in("texts").whole("embeds", 0, EMBEDS_BOUND)));
  }

  private static SpaceId space(Section section) {
    String name = section.text("space");
    try {
      return new SpaceId(name);
    } catch (KernelException e) {
      section.refuse(
          "space",
          where ->
              KernelException.invalidSetting(
                  where, "command.space", String.valueOf(e.getMessage())));
      return SpaceId.DEFAULT; // never used: the settings are refused
    }
  }
}
