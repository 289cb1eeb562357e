package dev.caliber.kernel.config;

import dev.caliber.kernel.Durations;
import dev.caliber.kernel.TokenEstimator;
import dev.caliber.kernel.settings.CheckedSettings;
import dev.caliber.kernel.settings.SettingKey;
import dev.caliber.kernel.settings.SettingRange;
import dev.caliber.kernel.settings.SettingVariant;
import dev.caliber.kernel.settings.Settings;
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
    @SettingRange("1 to 2000000 tokens") int tokenBudget,
    String systemInstructions,
    @SettingRange("0.1 to 100 bytes") double bytesPerToken,
    @SettingRange("0 to 1 share of the budget") double fillRatio,
    RelevanceSettings relevance,
    WindowPersistence persistence,
    SectionPriorities priorities,
    @SettingKey("") AssemblySettings assembly)
    implements CheckedSettings {

  @Override
  public void check(Settings settings) {
    int tokens = new TokenEstimator(bytesPerToken).estimate(systemInstructions);
    settings.requireCompatible(
        tokens <= tokenBudget,
        "context.system-instructions",
        "context.token-budget",
        "the instructions take about %d tokens, which is more than the budget of %d"
            .formatted(tokens, tokenBudget));
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
      @SettingRange("0 to 1 calibrated similarity") double minimum,
      @SettingRange("0 to 1 calibrated similarity") double defaultScore,
      @SettingRange("1 to 100000 records") int recordLimit,
      @SettingRange("1 to 100000 records") int recencyLimit,
      @SettingRange("1 to 100000 records") int noteLimit,
      @SettingRange("0 to 1 calibrated similarity") double noteMinimum,
      @SettingRange("1 to 100000 records") int turnLimit,
      @SettingRange("0 to 100000 records") int sessionLimit) {}

  /** Retention of windows. */
  public sealed interface WindowPersistence {
    /** Windows are not stored. */
    @SettingVariant("ephemeral")
    record EphemeralPersistence() implements WindowPersistence {}

    /** Windows are stored for a time. */
    @SettingVariant("ttl")
    record DurationPersistence(
        @SettingKey("persistence-ttl") @SettingRange("1ms to 36500d") Duration ttl)
        implements WindowPersistence {
      public DurationPersistence {
        Ranges.requireUpTo("persistence-ttl", ConfigBounds.MAX_TIME, ttl);
      }
    }

    /** Windows are stored until a caller deletes them. */
    @SettingVariant("permanent")
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
      @SettingRange("0 to 1000000 priority") int system,
      @SettingRange("0 to 1000000 priority") int persona,
      @SettingRange("0 to 1000000 priority") int user,
      @SettingRange("0 to 1000000 priority") int conversation,
      @SettingRange("0 to 1000000 priority") int recalled,
      @SettingRange("0 to 1000000 priority") int artifacts,
      @SettingRange("0 to 1000000 priority") int notes,
      @SettingRange("0 to 1000000 priority") int sessions,
      @SettingRange("0 to 1000000 priority") int history,
      @SettingRange("0 to 1000000 priority") SortedMap<String, Integer> custom) {
    public SectionPriorities {
      custom = Collections.unmodifiableSortedMap(new TreeMap<>(custom));
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
      @SettingRange("1 to 100000 records") int candidateLimit,
      ContextFormat format,
      boolean showDates,
      @SettingRange("1 to 10 factor") double estimateMargin,
      @SettingRange("1 to 10000000 counts") int tokenCountCacheSize,
      @SettingRange("0 to 1 share of the words") double claimWordOverlap,
      BudgetReserves reserves,
      WindowRankingSettings ranking,
      QualitySettings quality,
      TrustSettings trust,
      ShorteningSettings shortening) {}

  /** Shares of the budget that are reserved for these sections while earlier ones are filled. */
  public record BudgetReserves(
      @SettingRange("0 to 1 share of the budget") double recalled,
      @SettingRange("0 to 1 share of the budget") double artifacts,
      @SettingRange("0 to 1 share of the budget") double notes,
      @SettingRange("0 to 1 share of the budget") double sessions,
      @SettingRange("0 to 1 share of the budget") double history)
      implements CheckedSettings {
    @Override
    public void check(Settings settings) {
      double sum = recalled + artifacts + notes + sessions + history;
      settings.requireCompatible(
          sum <= 1,
          "context.reserves.recalled",
          "context.reserves.history",
          "expected reserves that add up to at most 1, found %s".formatted(sum));
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
      @SettingRange("0 to 1 share") double redundancy,
      @SettingRange("0 to 1 share") double diversity,
      @SettingRange("0 to 1 share") double recency,
      @SettingRange("1ms to 36500d") Duration halfLife) {}

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
  public record QualitySettings(
      boolean enabled,
      @SettingRange("0 to 1 share") double minimum,
      @SettingRange("0 to 1 share") double similarity,
      @SettingRange("0 to 1 share") double trust,
      @SettingRange("0 to 1 share") double freshness,
      @SettingRange("0 to 1 share") double verified,
      @SettingRange("1ms to 36500d") Duration freshnessPeriod,
      @SettingRange("0 to 1 share") double minFreshness) {}

  /**
   * Sizes for shortening a text that does not fit.
   *
   * @param minSourceTokens shorter texts, in tokens, are included whole or not at all
   * @param minResultTokens the fewest tokens of a shortened text
   */
  public record ShorteningSettings(
      @SettingRange("1 to 2000000 tokens") int minSourceTokens,
      @SettingRange("1 to 2000000 tokens") int minResultTokens) {}
}
