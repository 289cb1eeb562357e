package dev.caliber.kernel.config;

import dev.caliber.kernel.DataSize;
import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.settings.Settings;
import dev.caliber.kernel.settings.SettingsSection;
import java.time.Duration;
import java.util.List;

/**
 * Settings of context integrity: validation, checkpoints, window limits, lint and grounding.
 *
 * @param staleAfter sources older than this are reported
 * @param contradictionSimilarity facts at least this similar may contradict each other
 * @param factComparisonLimit the most facts that one validation compares with each other
 */
public record PcpConfig(
    ValidationMode validation,
    Duration staleAfter,
    double contradictionSimilarity,
    int factComparisonLimit,
    ContextDag contextDag,
    CheckpointSettings checkpoints,
    WindowLimits windowLimits,
    LintSettings lint,
    GroundingSettings grounding) {

  public PcpConfig {
    Ranges.requirePositive("stale-after", staleAfter);
    Ranges.requireShare("contradiction-similarity", contradictionSimilarity);
    Ranges.requireAtLeast("fact-comparison-limit", 1, factComparisonLimit);
  }

  /** Time at which records are validated. */
  public enum ValidationMode {
    ON_MUTATION,
    ALWAYS
  }

  /** Depth to which ancestors of a trajectory are included in its context. */
  public record ContextDag(boolean enabled, int maxDepth, PruneStrategy pruneStrategy) {
    public ContextDag {
      Ranges.requireAtLeast("context-dag.max-depth", 1, maxDepth);
    }
  }

  /** Order in which ancestors are dropped when there are too many levels. */
  public enum PruneStrategy {
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
      int maxCheckpoints,
      boolean compression,
      double maxDeltaShare) {
    public CheckpointSettings {
      Ranges.requireAtLeast("checkpoints.max-checkpoints", 1, maxCheckpoints);
      Ranges.requireShare("checkpoints.max-delta-share", maxDeltaShare);
    }
  }

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
      int maxTokens,
      int maxScopes,
      int maxArtifacts,
      int maxNotes,
      int criticalPriority,
      double compressionRatio) {
    public WindowLimits {
      Ranges.requireAtLeast("window-limits.max-tokens", 1, maxTokens);
      Ranges.requireAtLeast("window-limits.max-scopes", 1, maxScopes);
      Ranges.requireAtLeast("window-limits.max-artifacts", 1, maxArtifacts);
      Ranges.requireAtLeast("window-limits.max-notes", 1, maxNotes);
      Ranges.requireShare("window-limits.compression-ratio", compressionRatio);
    }

    /** Returns these limits with fewer tokens. */
    WindowLimits withMaxTokens(int tokens) {
      return new WindowLimits(
          Math.min(tokens, maxTokens),
          maxScopes,
          maxArtifacts,
          maxNotes,
          criticalPriority,
          compressionRatio);
    }
  }

  /** Settings of the lint rules for oversized or unlabelled artifacts. */
  public record LintSettings(
      boolean enabled,
      DataSize maxArtifactSize,
      boolean vocabularyEnforcement,
      List<String> vocabulary,
      boolean duplicateDetection,
      int duplicateLimit,
      double duplicateSimilarity) {
    public LintSettings {
      vocabulary = List.copyOf(vocabulary);
      Ranges.requireAtLeast("lint.duplicate-limit", 1, duplicateLimit);
      Ranges.requireShare("lint.duplicate-similarity", duplicateSimilarity);
      if (vocabularyEnforcement && vocabulary.isEmpty()) {
        throw KernelException.requiredFieldMissing("lint.vocabulary");
      }
    }
  }

  /** Conditions for trusting a fact, and the resolution of contradictions. */
  public record GroundingSettings(
      boolean requireSourceForFacts,
      double confidenceThreshold,
      ConflictResolution conflictResolution) {
    public GroundingSettings {
      Ranges.requireShare("grounding.confidence-threshold", confidenceThreshold);
    }
  }

  /** Rule that selects which of two contradicting facts is kept. */
  public enum ConflictResolution {
    NEWEST,
    HIGHEST_CONFIDENCE,
    MANUAL
  }

  PcpConfig withWindowLimits(WindowLimits other) {
    return new PcpConfig(
        validation,
        staleAfter,
        contradictionSimilarity,
        factComparisonLimit,
        contextDag,
        checkpoints,
        other,
        lint,
        grounding);
  }

  static PcpConfig from(Settings settings) {
    SettingsSection pcp = settings.section("pcp");
    return new PcpConfig(
        pcp.oneOf("validation", ValidationMode.class),
        pcp.duration("stale-after", ConfigBounds.MIN_TIME, ConfigBounds.MAX_TIME),
        pcp.withUnit("calibrated similarity").decimalNumber("contradiction-similarity", 0, 1),
        pcp.withUnit("facts").wholeNumber("fact-comparison-limit", 1, ConfigBounds.MAX_COUNT),
        contextDag(settings.section("pcp.context-dag")),
        checkpoints(settings.section("pcp.checkpoints")),
        windowLimits(settings.section("pcp.window-limits")),
        lint(settings),
        grounding(settings.section("pcp.grounding")));
  }

  private static ContextDag contextDag(SettingsSection settingsSection) {
    return new ContextDag(
        settingsSection.flag("enabled"),
        settingsSection.withUnit("ancestors").wholeNumber("max-depth", 1, ConfigBounds.MAX_DEPTH),
        settingsSection.oneOf("prune-strategy", PruneStrategy.class));
  }

  private static CheckpointSettings checkpoints(SettingsSection settingsSection) {
    return new CheckpointSettings(
        settingsSection.oneOf("frequency", CheckpointFrequency.class),
        settingsSection
            .withUnit("checkpoints")
            .wholeNumber("max-checkpoints", 1, ConfigBounds.MAX_COUNT),
        settingsSection.flag("compression"),
        settingsSection.withUnit("share of the whole").decimalNumber("max-delta-share", 0, 1));
  }

  private static WindowLimits windowLimits(SettingsSection settingsSection) {
    return new WindowLimits(
        settingsSection.withUnit("tokens").wholeNumber("max-tokens", 1, ConfigBounds.MAX_TOKENS),
        settingsSection.withUnit("scopes").wholeNumber("max-scopes", 1, ConfigBounds.MAX_COUNT),
        settingsSection
            .withUnit("artifacts")
            .wholeNumber("max-artifacts", 1, ConfigBounds.MAX_COUNT),
        settingsSection.withUnit("notes").wholeNumber("max-notes", 1, ConfigBounds.MAX_COUNT),
        settingsSection
            .withUnit("priority")
            .wholeNumber("critical-priority", 0, ConfigBounds.MAX_PRIORITY),
        settingsSection.withUnit("share of the tokens").decimalNumber("compression-ratio", 0, 1));
  }

  private static LintSettings lint(Settings settings) {
    SettingsSection settingsSection = settings.section("pcp.lint");
    boolean enforced = settingsSection.flag("vocabulary-enforcement");
    List<String> vocabulary = settingsSection.texts("vocabulary");
    settings.requireCompatible(
        !enforced || !vocabulary.isEmpty(),
        "pcp.lint.vocabulary-enforcement",
        "pcp.lint.vocabulary",
        "the vocabulary is enforced, but it is empty");
    return new LintSettings(
        settingsSection.flag("enabled"),
        settingsSection.size(
            "max-artifact-size", ConfigBounds.MIN_ARTIFACT, ConfigBounds.MAX_ARTIFACT),
        enforced && !vocabulary.isEmpty(),
        vocabulary,
        settingsSection.flag("duplicate-detection"),
        settingsSection
            .withUnit("artifacts")
            .wholeNumber("duplicate-limit", 1, ConfigBounds.MAX_COUNT),
        settingsSection
            .withUnit("calibrated similarity")
            .decimalNumber("duplicate-similarity", 0, 1));
  }

  private static GroundingSettings grounding(SettingsSection settingsSection) {
    return new GroundingSettings(
        settingsSection.flag("require-source-for-facts"),
        settingsSection.withUnit("confidence").decimalNumber("confidence-threshold", 0, 1),
        settingsSection.oneOf("conflict-resolution", ConflictResolution.class));
  }
}
