package dev.caliber.kernel.config;

import dev.caliber.kernel.Durations;
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
 * @param assembly how candidates become a window
 */
public record ContextConfig(
    int tokenBudget,
    String systemInstructions,
    double bytesPerToken,
    double fillRatio,
    Relevance relevance,
    Persistence persistence,
    Priorities priorities,
    Assembly assembly) {

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
   * @param turnLimit the most earlier turns that the query recalls
   * @param sessionLimit the most turns of the subject's other sessions; 0 for none
   */
  public record Relevance(
      double minimum,
      double neutral,
      int limit,
      int recencyLimit,
      int noteLimit,
      double noteMinimum,
      int turnLimit,
      int sessionLimit) {
    public Relevance {
      Ranges.requireShare("relevance.minimum", minimum);
      Ranges.requireShare("relevance.neutral", neutral);
      Ranges.requireShare("relevance.note-minimum", noteMinimum);
      Ranges.requireAtLeast("relevance.limit", 1, limit);
      Ranges.requireAtLeast("relevance.recency-limit", 1, recencyLimit);
      Ranges.requireAtLeast("relevance.note-limit", 1, noteLimit);
      Ranges.requireAtLeast("relevance.turn-limit", 1, turnLimit);
      Ranges.requireAtLeast("relevance.session-limit", 0, sessionLimit);
    }
  }

  /** How long windows are kept. */
  public sealed interface Persistence {
    /** They are not. */
    record Ephemeral() implements Persistence {}

    /** For a time. */
    record Ttl(Duration ttl) implements Persistence {
      public Ttl {
        Ranges.requireUpTo("persistence-ttl", ConfigBounds.MAX_TIME, ttl);
      }
    }

    /** Until somebody deletes them. */
    record Permanent() implements Persistence {}

    /** For a time that somebody has sent; a refusal names what it was sent as. */
    static Persistence lasting(String field, String time) {
      Duration ttl = Durations.parse(field, time);
      Ranges.requireUpTo(field, ConfigBounds.MAX_TIME, ttl);
      return new Ttl(ttl);
    }
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
      int recalled,
      int artifacts,
      int notes,
      int sessions,
      int history,
      SortedMap<String, Integer> custom) {
    public Priorities {
      custom = Collections.unmodifiableSortedMap(new TreeMap<>(custom));
      custom.forEach((name, priority) -> Ranges.requireAtLeast(name, 0, priority));
    }
  }

  /**
   * How candidates become a window.
   *
   * @param candidateLimit the most records that one rule offers
   * @param dates whether items carry the day they are from
   * @param estimateMargin an estimate of tokens is multiplied by this
   * @param countsKept how many counts are remembered
   * @param support how much of a claim's words an item must have to stand behind it
   * @param trust how far items are trusted, where the format says so
   */
  public record Assembly(
      int candidateLimit,
      ContextFormat format,
      boolean dates,
      double estimateMargin,
      int countsKept,
      double support,
      Reserves reserves,
      Ranking ranking,
      QualityRule quality,
      TrustRule trust,
      Shortening shortening) {

    static Assembly from(Settings settings) {
      Section context = settings.section("context");
      return new Assembly(
          context.in("records").whole("candidate-limit", 1, ConfigBounds.MAX_COUNT),
          context.oneOf("format", ContextFormat.class),
          context.flag("dates"),
          context.in("factor").real("estimate-margin", 1, ConfigBounds.MAX_MARGIN),
          context.in("counts").whole("counts-kept", 1, ConfigBounds.MAX_KEPT),
          context.in("share of the words").real("support", 0, 1),
          Reserves.from(settings),
          Ranking.from(settings.section("context.ranking")),
          QualityRule.from(settings.section("context.quality")),
          TrustRule.from(settings),
          Shortening.from(settings.section("context.shortening").in("tokens")));
    }

    public Assembly withRanking(Ranking other) {
      return new Assembly(
          candidateLimit,
          format,
          dates,
          estimateMargin,
          countsKept,
          support,
          reserves,
          other,
          quality,
          trust,
          shortening);
    }

    public Assembly withQuality(QualityRule other) {
      return new Assembly(
          candidateLimit,
          format,
          dates,
          estimateMargin,
          countsKept,
          support,
          reserves,
          ranking,
          other,
          trust,
          shortening);
    }

    public Assembly withTrust(TrustRule other) {
      return new Assembly(
          candidateLimit,
          format,
          dates,
          estimateMargin,
          countsKept,
          support,
          reserves,
          ranking,
          quality,
          other,
          shortening);
    }

    public Assembly withReserves(Reserves other) {
      return new Assembly(
          candidateLimit,
          format,
          dates,
          estimateMargin,
          countsKept,
          support,
          other,
          ranking,
          quality,
          trust,
          shortening);
    }
  }

  /** The shares of the budget that sections before them leave to these. */
  public record Reserves(
      double recalled, double artifacts, double notes, double sessions, double history) {
    public Reserves {
      Ranges.requireShare("reserves", recalled + artifacts + notes + sessions + history);
    }

    static Reserves from(Settings settings) {
      Section section = settings.section("context.reserves").in("share of the budget");
      double recalled = section.real("recalled", 0, 1);
      double artifacts = section.real("artifacts", 0, 1);
      double notes = section.real("notes", 0, 1);
      double sessions = section.real("sessions", 0, 1);
      double history = section.real("history", 0, 1);
      double sum = recalled + artifacts + notes + sessions + history;
      settings.requireCompatible(
          sum <= 1,
          "context.reserves.recalled",
          "context.reserves.history",
          "wanted reserves that add up to at most 1, found %s".formatted(sum));
      return sum <= 1
          ? new Reserves(recalled, artifacts, notes, sessions, history)
          : new Reserves(0, 0, 0, 0, 0);
    }
  }

  /**
   * What else counts beside relevance, each from 0: not at all.
   *
   * @param redundancy how much an item loses that repeats a better one
   * @param diversity how much an item loses for each better one from the same source
   * @param recency how much the newest gains
   * @param halfLife after this time the gain is half
   */
  public record Ranking(double redundancy, double diversity, double recency, Duration halfLife) {
    static Ranking from(Section section) {
      return new Ranking(
          section.in("share").real("redundancy", 0, 1),
          section.in("share").real("diversity", 0, 1),
          section.in("share").real("recency", 0, 1),
          section.duration("half-life", ConfigBounds.MIN_TIME, ConfigBounds.MAX_TIME));
    }
  }

  /**
   * By what notes and artifacts are judged: a sum of shares, at most 1.
   *
   * @param enabled whether they are
   * @param minimum those of less quality are left out
   * @param similarity what being near to the query adds
   * @param trust what being believed adds
   * @param freshness what being new adds
   * @param verified what having a source adds
   * @param freshFor the age at which freshness is least
   * @param leastFreshness of whatever still holds
   */
  public record QualityRule(
      boolean enabled,
      double minimum,
      double similarity,
      double trust,
      double freshness,
      double verified,
      Duration freshFor,
      double leastFreshness) {
    static QualityRule from(Section section) {
      Section share = section.in("share");
      return new QualityRule(
          section.flag("enabled"),
          share.real("minimum", 0, 1),
          share.real("similarity", 0, 1),
          share.real("trust", 0, 1),
          share.real("freshness", 0, 1),
          share.real("verified", 0, 1),
          section.duration("fresh-for", ConfigBounds.MIN_TIME, ConfigBounds.MAX_TIME),
          share.real("least-freshness", 0, 1));
    }
  }

  /**
   * When a text that does not fit is shortened.
   *
   * @param from texts of at most so many tokens come whole or not at all
   * @param least a shortened text has at least so many tokens
   */
  public record Shortening(int from, int least) {
    static Shortening from(Section section) {
      return new Shortening(
          section.whole("from", 1, ConfigBounds.MAX_TOKENS),
          section.whole("least", 1, ConfigBounds.MAX_TOKENS));
    }
  }

  public ContextConfig withAssembly(Assembly other) {
    return new ContextConfig(
        tokenBudget,
        systemInstructions,
        bytesPerToken,
        fillRatio,
        relevance,
        persistence,
        priorities,
        other);
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
        priorities(settings.section("context.priorities").in("priority")),
        Assembly.from(settings));
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
        scores.real("note-minimum", 0, 1),
        counts.whole("turn-limit", 1, ConfigBounds.MAX_COUNT),
        counts.whole("session-limit", 0, ConfigBounds.MAX_COUNT));
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
        priority(section, "recalled"),
        priority(section, "artifacts"),
        priority(section, "notes"),
        priority(section, "sessions"),
        priority(section, "history"),
        section.wholes("custom", 0, ConfigBounds.MAX_PRIORITY));
  }

  private static int priority(Section section, String key) {
    return section.whole(key, 0, ConfigBounds.MAX_PRIORITY);
  }
}
