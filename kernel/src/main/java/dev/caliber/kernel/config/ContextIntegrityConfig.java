package dev.caliber.kernel.config;

import dev.caliber.kernel.DataSize;
import dev.caliber.kernel.settings.CheckedSettings;
import dev.caliber.kernel.settings.SettingRange;
import dev.caliber.kernel.settings.Settings;
import java.time.Duration;
import java.util.List;

/**
 * Settings of context integrity: validation, checkpoints, window limits, lint and grounding.
 *
 * @param staleAfter sources older than this are reported
 * @param contradictionSimilarity facts at least this similar may contradict each other
 * @param factComparisonLimit the most facts that one validation compares with each other
 */
public record ContextIntegrityConfig(
    ValidationMode validation,
    @SettingRange("1ms to 36500d") Duration staleAfter,
    @SettingRange("0 to 1 calibrated similarity") double contradictionSimilarity,
    @SettingRange("1 to 100000 facts") int factComparisonLimit,
    AncestorSettings contextDag,
    CheckpointSettings checkpoints,
    WindowLimits windowLimits,
    LintSettings lint,
    GroundingSettings grounding) {

  /** Time at which records are validated. */
  public enum ValidationMode {
    ON_MUTATION,
    ALWAYS
  }

  /** Depth to which ancestors of a trajectory are included in its context. */
  public record AncestorSettings(
      boolean enabled,
      @SettingRange("1 to 1000 ancestors") int maxDepth,
      AncestorPruneStrategy pruneStrategy) {}

  /** Order in which ancestors are dropped when there are too many levels. */
  public enum AncestorPruneStrategy {
    LRU,
    RELEVANCE,
    HYBRID
  }

  /**
   * Frequency and retention of checkpoints.
   *
   * @param compression whether their ledgers are stored compressed, where that is smaller
   * @param maxDeltaShare a ledger is stored whole when its changes take more than this share of it
   */
  public record CheckpointSettings(
      CheckpointFrequency frequency,
      @SettingRange("1 to 100000 checkpoints") int maxCheckpoints,
      boolean compression,
      @SettingRange("0 to 1 share of the whole") double maxDeltaShare) {}

  /** Events at which checkpoints are made. */
  public enum CheckpointFrequency {
    PER_SCOPE,
    PER_TURN,
    MANUAL
  }

  /**
   * Limits of a window.
   *
   * @param criticalPriority sections from here on are cut only as the last resort
   * @param compressionRatio the share of a section that remains when it is compressed
   */
  public record WindowLimits(
      @SettingRange("1 to 2000000 tokens") int maxTokens,
      @SettingRange("1 to 100000 scopes") int maxScopes,
      @SettingRange("1 to 100000 artifacts") int maxArtifacts,
      @SettingRange("1 to 100000 notes") int maxNotes,
      @SettingRange("0 to 1000000 priority") int criticalPriority,
      @SettingRange("0 to 1 share of the tokens") double compressionRatio) {}

  /** Settings of the lint rules for oversized or unlabelled artifacts. */
  public record LintSettings(
      boolean enabled,
      @SettingRange("1B to 32MiB") DataSize maxArtifactSize,
      boolean vocabularyEnforcement,
      List<String> vocabulary,
      boolean duplicateDetection,
      @SettingRange("1 to 100000 artifacts") int duplicateLimit,
      @SettingRange("0 to 1 calibrated similarity") double duplicateSimilarity)
      implements CheckedSettings {
    public LintSettings {
      vocabulary = List.copyOf(vocabulary);
    }

    @Override
    public void check(Settings settings) {
      settings.requireCompatible(
          !vocabularyEnforcement || !vocabulary.isEmpty(),
          "pcp.lint.vocabulary-enforcement",
          "pcp.lint.vocabulary",
          "expected a vocabulary to enforce, found none");
    }
  }

  /** Conditions for trusting a fact, and the resolution of contradictions. */
  public record GroundingSettings(
      boolean requireSourceForFacts,
      @SettingRange("0 to 1 confidence") double confidenceThreshold,
      ContradictionPolicy conflictResolution) {}

  /** Rule that selects which of two contradicting facts is kept. */
  public enum ContradictionPolicy {
    NEWEST,
    HIGHEST_CONFIDENCE,
    MANUAL
  }
}
