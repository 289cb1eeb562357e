package dev.caliber.kernel.config;

import dev.caliber.kernel.settings.Section;
import dev.caliber.kernel.settings.Settings;
import java.time.Duration;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How a context window is composed.
 *
 * @param tokenBudget the most tokens of a window
 * @param bytesPerToken for the estimate where no tokenizer is known
 */
public record ContextConfig(
    int tokenBudget,
    String systemInstructions,
    double bytesPerToken,
    double fillRatio,
    Relevance relevance,
    Persistence persistence,
    Priorities priorities) {

  public ContextConfig {
    Ranges.requireWithin("token-budget", 1, ConfigBounds.MAX_TOKENS, tokenBudget);
    Ranges.requireShare("fill-ratio", fillRatio);
  }

  /**
   * What is near enough to be offered.
   *
   * @param minimum candidates below it are left out
   * @param neutral of what cannot be compared with the query
   * @param limit the most records of a rule that asks for relevant ones
   * @param recencyLimit the most records of such a rule when there is no query
   */
  public record Relevance(
      double minimum,
      double neutral,
      int limit,
      int recencyLimit,
      int noteLimit,
      double noteMinimum) {
    public Relevance {
      Ranges.requireShare("relevance.minimum", minimum);
      Ranges.requireShare("relevance.neutral", neutral);
      Ranges.requireShare("relevance.note-minimum", noteMinimum);
      Ranges.requireAtLeast("relevance.limit", 1, limit);
      Ranges.requireAtLeast("relevance.recency-limit", 1, recencyLimit);
      Ranges.requireAtLeast("relevance.note-limit", 1, noteLimit);
    }
  }

  /** How long windows are kept. */
  public sealed interface Persistence {
    /** They are not. */
    record Ephemeral() implements Persistence {}

    /** For a time. */
    record Ttl(Duration ttl) implements Persistence {
      public Ttl {
        Ranges.requirePositive("persistence-ttl", ttl);
      }
    }

    /** Until somebody deletes them. */
    record Permanent() implements Persistence {}
  }

  /**
   * Which sections come first: the higher, the earlier.
   *
   * @param custom by the name of the section
   */
  public record Priorities(
      int system,
      int persona,
      int user,
      int conversation,
      int artifacts,
      int notes,
      int history,
      SortedMap<String, Integer> custom) {
    public Priorities {
      custom = Collections.unmodifiableSortedMap(new TreeMap<>(custom));
      custom.forEach((name, priority) -> Ranges.requireAtLeast(name, 0, priority));
    }
  }

  private enum PersistenceName {
    EPHEMERAL,
    TTL,
    PERMANENT
  }

  static ContextConfig from(Settings settings) {
    Section context = settings.section("context");
    return new ContextConfig(
        context.in("tokens").whole("token-budget", 1, ConfigBounds.MAX_TOKENS),
        context.text("system-instructions"),
        context
            .in("bytes")
            .real(
                "bytes-per-token",
                ConfigBounds.MIN_BYTES_PER_TOKEN,
                ConfigBounds.MAX_BYTES_PER_TOKEN),
        context.in("share of the budget").real("fill-ratio", 0, 1),
        relevance(settings.section("context.relevance")),
        persistence(context),
        priorities(settings.section("context.priorities").in("priority")));
  }

  private static Relevance relevance(Section section) {
    Section scores = section.in("calibrated similarity");
    Section counts = section.in("records");
    return new Relevance(
        scores.real("minimum", 0, 1),
        scores.real("neutral", 0, 1),
        counts.whole("limit", 1, ConfigBounds.MAX_COUNT),
        counts.whole("recency-limit", 1, ConfigBounds.MAX_COUNT),
        counts.whole("note-limit", 1, ConfigBounds.MAX_COUNT),
        scores.real("note-minimum", 0, 1));
  }

  /** The time is read whichever is chosen, so that a file is complete. */
  private static Persistence persistence(Section section) {
    PersistenceName name = section.oneOf("persistence", PersistenceName.class);
    Duration ttl =
        section.duration("persistence-ttl", ConfigBounds.MIN_TIME, ConfigBounds.MAX_TIME);
    return switch (name) {
      case EPHEMERAL -> new Persistence.Ephemeral();
      case TTL -> new Persistence.Ttl(ttl);
      case PERMANENT -> new Persistence.Permanent();
    };
  }

  private static Priorities priorities(Section section) {
    return new Priorities(
        priority(section, "system"),
        priority(section, "persona"),
        priority(section, "user"),
        priority(section, "conversation"),
        priority(section, "artifacts"),
        priority(section, "notes"),
        priority(section, "history"),
        section.wholes("custom", 0, ConfigBounds.MAX_PRIORITY));
  }

  private static int priority(Section section, String key) {
    return section.whole(key, 0, ConfigBounds.MAX_PRIORITY);
  }
}
