package dev.caliber.kernel.config;

import dev.caliber.kernel.Durations;
import dev.caliber.kernel.settings.Settings;
import dev.caliber.kernel.settings.SettingsSection;
import java.time.Duration;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Settings of composing a context window.
 *
 * @param tokenBudget the most tokens of a window
 * @param bytesPerToken for the estimate where no tokenizer is known
 * @param assembly the selection of candidates for a window
 */
public record ContextConfig(
    int tokenBudget,
    String systemInstructions,
    double bytesPerToken,
    double fillRatio,
    RelevanceSettings relevance,
    WindowPersistence persistence,
    SectionPriorities priorities,
    AssemblySettings assembly) {

  public ContextConfig {
    Ranges.requireWithin("token-budget", 1, ConfigBounds.MAX_TOKENS, tokenBudget);
    Ranges.requireShare("fill-ratio", fillRatio);
  }

  /**
   * Settings of the relevance filter.
   *
   * @param minimum candidates below it are left out
   * @param defaultScore the relevance of records that cannot be compared with the query
   * @param recordLimit the most records of a rule that asks for relevant ones
   * @param recencyLimit the most records of such a rule when there is no query
   * @param turnLimit the most earlier turns that the query recalls
   * @param sessionLimit the most turns of the subject's other sessions; 0 for none
   */
  public record RelevanceSettings(
      double minimum,
      double defaultScore,
      int recordLimit,
      int recencyLimit,
      int noteLimit,
      double noteMinimum,
      int turnLimit,
      int sessionLimit) {
    public RelevanceSettings {
      Ranges.requireShare("relevance.minimum", minimum);
      Ranges.requireShare("relevance.default-score", defaultScore);
      Ranges.requireShare("relevance.note-minimum", noteMinimum);
      Ranges.requireAtLeast("relevance.record-limit", 1, recordLimit);
      Ranges.requireAtLeast("relevance.recency-limit", 1, recencyLimit);
      Ranges.requireAtLeast("relevance.note-limit", 1, noteLimit);
      Ranges.requireAtLeast("relevance.turn-limit", 1, turnLimit);
      Ranges.requireAtLeast("relevance.session-limit", 0, sessionLimit);
    }
  }

  /** Retention of windows. */
  public sealed interface WindowPersistence {
    /** Windows are not stored. */
    record EphemeralPersistence() implements WindowPersistence {}

    /** Windows are stored for a time. */
    record DurationPersistence(Duration ttl) implements WindowPersistence {
      public DurationPersistence {
        Ranges.requireUpTo("persistence-ttl", ConfigBounds.MAX_TIME, ttl);
      }
    }

    /** Windows are stored until a caller deletes them. */
    record PermanentPersistence() implements WindowPersistence {}

    /** Returns the persistence for a time sent by a caller; a refusal names the caller's field. */
    static WindowPersistence forDuration(String field, String time) {
      Duration ttl = Durations.parse(field, time);
      Ranges.requireUpTo(field, ConfigBounds.MAX_TIME, ttl);
      return new DurationPersistence(ttl);
    }
  }

  /**
   * Priorities of the sections; the higher comes first.
   *
   * @param custom by the name of the section
   */
  public record SectionPriorities(
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
    public SectionPriorities {
      custom = Collections.unmodifiableSortedMap(new TreeMap<>(custom));
      custom.forEach((name, priority) -> Ranges.requireAtLeast(name, 0, priority));
    }
  }

  /**
   * Settings of window assembly.
   *
   * @param candidateLimit the most records that one rule offers
   * @param showDates whether items carry the day they are from
   * @param estimateMargin an estimate of tokens is multiplied by this
   * @param tokenCountCacheSize the number of cached token counts
   * @param claimWordOverlap the share of a claim's words that an item must contain to support it
   * @param trust how far items are trusted, where the format shows it
   */
  public record AssemblySettings(
      int candidateLimit,
      ContextFormat format,
      boolean showDates,
      double estimateMargin,
      int tokenCountCacheSize,
      double claimWordOverlap,
      BudgetReserves reserves,
      WindowRankingSettings ranking,
      QualityRule quality,
      TrustRule trust,
      ShorteningSettings shortening) {

    static AssemblySettings from(Settings settings) {
      SettingsSection context = settings.section("context");
      return new AssemblySettings(
          context.withUnit("records").wholeNumber("candidate-limit", 1, ConfigBounds.MAX_COUNT),
          context.oneOf("format", ContextFormat.class),
          context.flag("show-dates"),
          context.withUnit("factor").decimalNumber("estimate-margin", 1, ConfigBounds.MAX_MARGIN),
          context
              .withUnit("counts")
              .wholeNumber("token-count-cache-size", 1, ConfigBounds.MAX_KEPT),
          context.withUnit("share of the words").decimalNumber("claim-word-overlap", 0, 1),
          BudgetReserves.from(settings),
          WindowRankingSettings.from(settings.section("context.ranking")),
          QualityRule.from(settings.section("context.quality")),
          TrustRule.from(settings),
          ShorteningSettings.from(settings.section("context.shortening").withUnit("tokens")));
    }

    public AssemblySettings withRanking(WindowRankingSettings other) {
      return new AssemblySettings(
          candidateLimit,
          format,
          showDates,
          estimateMargin,
          tokenCountCacheSize,
          claimWordOverlap,
          reserves,
          other,
          quality,
          trust,
          shortening);
    }

    public AssemblySettings withQuality(QualityRule other) {
      return new AssemblySettings(
          candidateLimit,
          format,
          showDates,
          estimateMargin,
          tokenCountCacheSize,
          claimWordOverlap,
          reserves,
          ranking,
          other,
          trust,
          shortening);
    }

    public AssemblySettings withTrust(TrustRule other) {
      return new AssemblySettings(
          candidateLimit,
          format,
          showDates,
          estimateMargin,
          tokenCountCacheSize,
          claimWordOverlap,
          reserves,
          ranking,
          quality,
          other,
          shortening);
    }

    public AssemblySettings withReserves(BudgetReserves other) {
      return new AssemblySettings(
          candidateLimit,
          format,
          showDates,
          estimateMargin,
          tokenCountCacheSize,
          claimWordOverlap,
          other,
          ranking,
          quality,
          trust,
          shortening);
    }
  }

  /** Shares of the budget that are reserved for these sections while earlier ones are filled. */
  public record BudgetReserves(
      double recalled, double artifacts, double notes, double sessions, double history) {
    public BudgetReserves {
      Ranges.requireShare("reserves", recalled + artifacts + notes + sessions + history);
    }

    static BudgetReserves from(Settings settings) {
      SettingsSection settingsSection =
          settings.section("context.reserves").withUnit("share of the budget");
      double recalled = settingsSection.decimalNumber("recalled", 0, 1);
      double artifacts = settingsSection.decimalNumber("artifacts", 0, 1);
      double notes = settingsSection.decimalNumber("notes", 0, 1);
      double sessions = settingsSection.decimalNumber("sessions", 0, 1);
      double history = settingsSection.decimalNumber("history", 0, 1);
      double sum = recalled + artifacts + notes + sessions + history;
      settings.requireCompatible(
          sum <= 1,
          "context.reserves.recalled",
          "context.reserves.history",
          "the sum of all reserves in context.reserves has to be at most 1, but is %s"
              .formatted(sum));
      return sum <= 1
          ? new BudgetReserves(recalled, artifacts, notes, sessions, history)
          : new BudgetReserves(0, 0, 0, 0, 0);
    }
  }

  /**
   * Weights beside relevance, each from 0: no effect.
   *
   * @param redundancy how much an item loses that repeats a better one
   * @param diversity how much an item loses for each better one from the same source
   * @param recency how much the newest gains
   * @param halfLife after this time the gain is half
   */
  public record WindowRankingSettings(
      double redundancy, double diversity, double recency, Duration halfLife) {
    static WindowRankingSettings from(SettingsSection settingsSection) {
      return new WindowRankingSettings(
          settingsSection.withUnit("share").decimalNumber("redundancy", 0, 1),
          settingsSection.withUnit("share").decimalNumber("diversity", 0, 1),
          settingsSection.withUnit("share").decimalNumber("recency", 0, 1),
          settingsSection.duration("half-life", ConfigBounds.MIN_TIME, ConfigBounds.MAX_TIME));
    }
  }

  /**
   * Quality score of notes and artifacts: a sum of shares, at most 1.
   *
   * @param enabled whether it is used
   * @param minimum records of less quality are left out
   * @param similarity the share of similarity to the query
   * @param trust the share of trust
   * @param freshness the share of recency
   * @param verified the share of having a source
   * @param freshnessPeriod the age at which freshness is least
   * @param minFreshness the freshness of the oldest valid records
   */
  public record QualityRule(
      boolean enabled,
      double minimum,
      double similarity,
      double trust,
      double freshness,
      double verified,
      Duration freshnessPeriod,
      double minFreshness) {
    static QualityRule from(SettingsSection settingsSection) {
      SettingsSection share = settingsSection.withUnit("share");
      return new QualityRule(
          settingsSection.flag("enabled"),
          share.decimalNumber("minimum", 0, 1),
          share.decimalNumber("similarity", 0, 1),
          share.decimalNumber("trust", 0, 1),
          share.decimalNumber("freshness", 0, 1),
          share.decimalNumber("verified", 0, 1),
          settingsSection.duration(
              "freshness-period", ConfigBounds.MIN_TIME, ConfigBounds.MAX_TIME),
          share.decimalNumber("min-freshness", 0, 1));
    }
  }

  /**
   * Sizes for shortening a text that does not fit.
   *
   * @param minSourceTokens shorter texts, in tokens, are included whole or not at all
   * @param minResultTokens the fewest tokens of a shortened text
   */
  public record ShorteningSettings(int minSourceTokens, int minResultTokens) {
    static ShorteningSettings from(SettingsSection settingsSection) {
      return new ShorteningSettings(
          settingsSection.wholeNumber("min-source-tokens", 1, ConfigBounds.MAX_TOKENS),
          settingsSection.wholeNumber("min-result-tokens", 1, ConfigBounds.MAX_TOKENS));
    }
  }

  public ContextConfig withAssembly(AssemblySettings other) {
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
    SettingsSection context = settings.section("context");
    return new ContextConfig(
        context.withUnit("tokens").wholeNumber("token-budget", 1, ConfigBounds.MAX_TOKENS),
        context.text("system-instructions"),
        context
            .withUnit("bytes")
            .decimalNumber(
                "bytes-per-token",
                ConfigBounds.MIN_BYTES_PER_TOKEN,
                ConfigBounds.MAX_BYTES_PER_TOKEN),
        context.withUnit("share of the budget").decimalNumber("fill-ratio", 0, 1),
        relevance(settings.section("context.relevance")),
        persistence(context),
        priorities(settings.section("context.priorities").withUnit("priority")),
        AssemblySettings.from(settings));
  }

  private static RelevanceSettings relevance(SettingsSection settingsSection) {
    SettingsSection scores = settingsSection.withUnit("calibrated similarity");
    SettingsSection counts = settingsSection.withUnit("records");
    return new RelevanceSettings(
        scores.decimalNumber("minimum", 0, 1),
        scores.decimalNumber("default-score", 0, 1),
        counts.wholeNumber("record-limit", 1, ConfigBounds.MAX_COUNT),
        counts.wholeNumber("recency-limit", 1, ConfigBounds.MAX_COUNT),
        counts.wholeNumber("note-limit", 1, ConfigBounds.MAX_COUNT),
        scores.decimalNumber("note-minimum", 0, 1),
        counts.wholeNumber("turn-limit", 1, ConfigBounds.MAX_COUNT),
        counts.wholeNumber("session-limit", 0, ConfigBounds.MAX_COUNT));
  }

  /**
   * Reads the persistence. The time is always read, so that a file is complete whichever it
   * selects.
   */
  private static WindowPersistence persistence(SettingsSection settingsSection) {
    PersistenceName name = settingsSection.oneOf("persistence", PersistenceName.class);
    Duration ttl =
        settingsSection.duration("persistence-ttl", ConfigBounds.MIN_TIME, ConfigBounds.MAX_TIME);
    return switch (name) {
      case EPHEMERAL -> new WindowPersistence.EphemeralPersistence();
      case TTL -> new WindowPersistence.DurationPersistence(ttl);
      case PERMANENT -> new WindowPersistence.PermanentPersistence();
    };
  }

  private static SectionPriorities priorities(SettingsSection settingsSection) {
    return new SectionPriorities(
        priority(settingsSection, "system"),
        priority(settingsSection, "persona"),
        priority(settingsSection, "user"),
        priority(settingsSection, "conversation"),
        priority(settingsSection, "recalled"),
        priority(settingsSection, "artifacts"),
        priority(settingsSection, "notes"),
        priority(settingsSection, "sessions"),
        priority(settingsSection, "history"),
        settingsSection.wholeNumbers("custom", 0, ConfigBounds.MAX_PRIORITY));
  }

  private static int priority(SettingsSection settingsSection, String key) {
    return settingsSection.wholeNumber(key, 0, ConfigBounds.MAX_PRIORITY);
  }
}
