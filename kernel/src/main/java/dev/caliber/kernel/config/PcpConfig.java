package dev.caliber.kernel.config;

import dev.caliber.kernel.DataSize;
import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.settings.Section;
import dev.caliber.kernel.settings.Settings;
import java.time.Duration;
import java.util.List;

/**
 * How contexts are kept sound: validation, checkpoints, dosage, lint and grounding.
 *
 * @param staleAfter sources older than this are reported
 * @param contradictionSimilarity facts at least this similar may contradict each other
 * @param compareLimit the most facts that one validation compares with each other
 */
public record PcpConfig(
    Validation validation,
    Duration staleAfter,
    double contradictionSimilarity,
    int compareLimit,
    ContextDag contextDag,
    Checkpoints checkpoints,
    Dosage dosage,
    Lint lint,
    Grounding grounding) {

  public PcpConfig {
    Ranges.requirePositive("stale-after", staleAfter);
    Ranges.requireShare("contradiction-similarity", contradictionSimilarity);
    Ranges.requireAtLeast("compare-limit", 1, compareLimit);
  }

  /** When records are validated. */
  public enum Validation {
    ON_MUTATION,
    ALWAYS
  }

  /** How deep ancestors of a trajectory reach into its context. */
  public record ContextDag(boolean enabled, int maxDepth, PruneStrategy pruneStrategy) {
    public ContextDag {
      Ranges.requireAtLeast("context-dag.max-depth", 1, maxDepth);
    }
  }

  /** What leaves first when ancestors are too deep. */
  public enum PruneStrategy {
    LRU,
    RELEVANCE,
    HYBRID
  }

  /**
   * When checkpoints are made, and how many of a trajectory are kept.
   *
   * @param compression whether their ledgers are stored compressed, where that is smaller
   * @param wholeShare a ledger is stored whole when its changes take more than this share of it
   */
  public record Checkpoints(
      Frequency frequency, int retention, boolean compression, double wholeShare) {
    public Checkpoints {
      Ranges.requireAtLeast("checkpoints.retention", 1, retention);
      Ranges.requireShare("checkpoints.whole-share", wholeShare);
    }
  }

  /** When checkpoints are made. */
  public enum Frequency {
    PER_SCOPE,
    PER_TURN,
    MANUAL
  }

  /**
   * What a window may hold at most.
   *
   * @param criticalPriority sections from here on are cut only as the last resort
   * @param compressionRatio how much of a section stays when it is compressed
   */
  public record Dosage(
      int maxContextTokens,
      int maxScopes,
      int maxArtifacts,
      int maxNotes,
      int criticalPriority,
      double compressionRatio) {
    public Dosage {
      Ranges.requireAtLeast("dosage.max-context-tokens", 1, maxContextTokens);
      Ranges.requireAtLeast("dosage.max-scopes", 1, maxScopes);
      Ranges.requireAtLeast("dosage.max-artifacts", 1, maxArtifacts);
      Ranges.requireAtLeast("dosage.max-notes", 1, maxNotes);
      Ranges.requireShare("dosage.compression-ratio", compressionRatio);
    }

    /** The same with fewer tokens. */
    Dosage within(int tokens) {
      return new Dosage(
          Math.min(tokens, maxContextTokens),
          maxScopes,
          maxArtifacts,
          maxNotes,
          criticalPriority,
          compressionRatio);
    }
  }

  /** What is said about artifacts that let a memory sprawl. */
  public record Lint(
      boolean enabled,
      DataSize maxArtifactSize,
      boolean vocabularyEnforcement,
      List<String> vocabulary,
      boolean duplicateDetection,
      int duplicateLimit,
      double duplicateSimilarity) {
    public Lint {
      vocabulary = List.copyOf(vocabulary);
      Ranges.requireAtLeast("lint.duplicate-limit", 1, duplicateLimit);
      Ranges.requireShare("lint.duplicate-similarity", duplicateSimilarity);
      if (vocabularyEnforcement && vocabulary.isEmpty()) {
        throw KernelException.requiredFieldMissing("lint.vocabulary");
      }
    }
  }

  /** What a fact needs to be trusted, and which of two contradicting ones stays. */
  public record Grounding(
      boolean requireSourceForFacts,
      double confidenceThreshold,
      ConflictResolution conflictResolution) {
    public Grounding {
      Ranges.requireShare("grounding.confidence-threshold", confidenceThreshold);
    }
  }

  /** Which of two contradicting facts stays. */
  public enum ConflictResolution {
    NEWEST,
    HIGHEST_CONFIDENCE,
    MANUAL
  }

  PcpConfig withDosage(Dosage other) {
    return new PcpConfig(
        validation,
        staleAfter,
        contradictionSimilarity,
        compareLimit,
        contextDag,
        checkpoints,
        other,
        lint,
        grounding);
  }

  static PcpConfig from(Settings settings) {
    Section pcp = settings.section("pcp");
    return new PcpConfig(
        pcp.oneOf("validation", Validation.class),
        pcp.duration("stale-after", ConfigBounds.MIN_TIME, ConfigBounds.MAX_TIME),
        pcp.in("calibrated similarity").real("contradiction-similarity", 0, 1),
        pcp.in("facts").whole("compare-limit", 1, ConfigBounds.MAX_COUNT),
        contextDag(settings.section("pcp.context-dag")),
        checkpoints(settings.section("pcp.checkpoints")),
        dosage(settings.section("pcp.dosage")),
        lint(settings),
        grounding(settings.section("pcp.grounding")));
  }

  private static ContextDag contextDag(Section section) {
    return new ContextDag(
        section.flag("enabled"),
        section.in("ancestors").whole("max-depth", 1, ConfigBounds.MAX_DEPTH),
        section.oneOf("prune-strategy", PruneStrategy.class));
  }

  private static Checkpoints checkpoints(Section section) {
    return new Checkpoints(
        section.oneOf("frequency", Frequency.class),
        section.in("checkpoints").whole("retention", 1, ConfigBounds.MAX_COUNT),
        section.flag("compression"),
        section.in("share of the whole").real("whole-share", 0, 1));
  }

  private static Dosage dosage(Section section) {
    return new Dosage(
        section.in("tokens").whole("max-context-tokens", 1, ConfigBounds.MAX_TOKENS),
        section.in("scopes").whole("max-scopes", 1, ConfigBounds.MAX_COUNT),
        section.in("artifacts").whole("max-artifacts", 1, ConfigBounds.MAX_COUNT),
        section.in("notes").whole("max-notes", 1, ConfigBounds.MAX_COUNT),
        section.in("priority").whole("critical-priority", 0, ConfigBounds.MAX_PRIORITY),
        section.in("share of the tokens").real("compression-ratio", 0, 1));
  }

  private static Lint lint(Settings settings) {
    Section section = settings.section("pcp.lint");
    boolean enforced = section.flag("vocabulary-enforcement");
    List<String> vocabulary = section.texts("vocabulary");
    settings.requireCompatible(
        !enforced || !vocabulary.isEmpty(),
        "pcp.lint.vocabulary-enforcement",
        "pcp.lint.vocabulary",
        "wanted words to enforce, found none");
    return new Lint(
        section.flag("enabled"),
        section.size("max-artifact-size", ConfigBounds.MIN_ARTIFACT, ConfigBounds.MAX_ARTIFACT),
        enforced && !vocabulary.isEmpty(),
        vocabulary,
        section.flag("duplicate-detection"),
        section.in("artifacts").whole("duplicate-limit", 1, ConfigBounds.MAX_COUNT),
        section.in("calibrated similarity").real("duplicate-similarity", 0, 1));
  }

  private static Grounding grounding(Section section) {
    return new Grounding(
        section.flag("require-source-for-facts"),
        section.in("confidence").real("confidence-threshold", 0, 1),
        section.oneOf("conflict-resolution", ConflictResolution.class));
  }
}
