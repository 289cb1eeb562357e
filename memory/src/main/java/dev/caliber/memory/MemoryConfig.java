package dev.caliber.memory;

import dev.caliber.kernel.DataSize;
import dev.caliber.kernel.settings.Settings;
import dev.caliber.kernel.settings.SettingsSection;
import dev.caliber.memory.spi.FindingKind;
import dev.caliber.memory.text.TextAnalysisSettings;
import dev.caliber.store.BatchSize;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Settings of {@code [memory]} in {@code caliber.toml}; the starter file explains each. */
public record MemoryConfig(
    MemoryLimits limits,
    TextAnalysisSettings text,
    NoteSettings notes,
    RetentionSettings retention,
    RecallSearchSettings recall) {

  private static final String STARTER = "starter.toml";

  /** Size limits of one call. */
  public record MemoryLimits(
      DataSize turn,
      DataSize artifact,
      DataSize note,
      DataSize text,
      int parts,
      int batch,
      int metadata,
      int parentDepth,
      int pageSize,
      int list,
      int summarySources,
      int extractedArtifacts) {

    public MemoryLimits withList(int other) {
      return new MemoryLimits(
          turn,
          artifact,
          note,
          text,
          parts,
          batch,
          metadata,
          parentDepth,
          pageSize,
          other,
          summarySources,
          extractedArtifacts);
    }
  }

  /**
   * Settings of confidence, merging, consolidation and contradictions of notes.
   *
   * @param fromTurns whether statements of users in turns of a session become notes
   */
  public record NoteSettings(
      double similarity,
      double confidenceGain,
      int candidates,
      boolean fromTurns,
      ConsolidationSettings consolidation) {
    public NoteSettings withConsolidation(ConsolidationSettings other) {
      return new NoteSettings(similarity, confidenceGain, candidates, fromTurns, other);
    }
  }

  /**
   * Settings of the consolidation of artifacts into notes.
   *
   * @param atTaskEnd whether artifacts become notes when their trajectory ends
   * @param batch number of artifacts that one commit reads
   * @param resumeAfter delay of the job that continues a consolidation of several commits
   */
  public record ConsolidationSettings(boolean atTaskEnd, int batch, Duration resumeAfter) {
    public ConsolidationSettings withConsolidationAtTaskEnd() {
      return new ConsolidationSettings(true, batch, resumeAfter);
    }

    public ConsolidationSettings withBatch(int other) {
      return new ConsolidationSettings(atTaskEnd, other, resumeAfter);
    }
  }

  /** Retention of traces, notices, tombstones and other records that memory writes by itself. */
  public record RetentionSettings(
      Duration traces,
      Duration notifications,
      Duration tombstones,
      Duration versions,
      int maxSummaryVersions,
      Duration expiredArtifacts,
      Duration interval,
      BatchSize.BatchLimits batches) {

    /** Returns the number of records that one commit takes. */
    public int batch() {
      return batches.records();
    }

    public RetentionSettings withBatch(int other) {
      return withBatches(new BatchSize.BatchLimits(other, batches.bytes(), batches.time()));
    }

    public RetentionSettings withBatches(BatchSize.BatchLimits other) {
      return new RetentionSettings(
          traces,
          notifications,
          tombstones,
          versions,
          maxSummaryVersions,
          expiredArtifacts,
          interval,
          other);
    }
  }

  /**
   * Settings of recall.
   *
   * @param minSimilarity hits below this similarity are left out
   */
  public record RecallSearchSettings(int maxLimit, int scanCandidates, double minSimilarity) {}

  /** Returns the settings of the starter file in the jar. */
  public static MemoryConfig starter() {
    Settings settings = Settings.parse("the starter file", starterText());
    MemoryConfig config = from(settings);
    settings.verify();
    return config;
  }

  /** Returns the {@code [memory]} part of the starter file, which explains every key. */
  public static String starterText() {
    try (InputStream in =
        Objects.requireNonNull(MemoryConfig.class.getResourceAsStream(STARTER), STARTER)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads the {@code [memory]} part; the caller verifies the settings once all parts are read. */
  public static MemoryConfig from(Settings settings) {
    return new MemoryConfig(
        limits(settings.section("memory.limits")),
        text(
            settings.section("memory.summaries"),
            settings.section("memory.extraction-confidence"),
            settings),
        notes(
            settings.section("memory.merging"),
            settings.section("memory.extraction"),
            settings.section("memory.consolidation")),
        retention(settings.section("memory.retention")),
        recalls(settings.section("memory.recall")));
  }

  public MemoryConfig withLimits(MemoryLimits other) {
    return new MemoryConfig(other, text, notes, retention, recall);
  }

  public MemoryConfig withRetention(RetentionSettings other) {
    return new MemoryConfig(limits, text, notes, other, recall);
  }

  public MemoryConfig withNotes(NoteSettings other) {
    return new MemoryConfig(limits, text, other, retention, recall);
  }

  /** Returns the batch of one maintenance commit, at most one page. */
  int maintenanceBatch() {
    return Math.min(retention.batch(), limits.pageSize());
  }

  /** Returns the batch of one consolidation commit, at most one page. */
  int consolidationBatch() {
    return Math.min(notes.consolidation().batch(), limits.pageSize());
  }

  public MemoryConfig withRecall(RecallSearchSettings other) {
    return new MemoryConfig(limits, text, notes, retention, other);
  }

  private static MemoryLimits limits(SettingsSection settingsSection) {
    return new MemoryLimits(
        settingsSection.size("turn", MemoryBounds.MIN_CONTENT, MemoryBounds.MAX_CONTENT),
        settingsSection.size("artifact", MemoryBounds.MIN_CONTENT, MemoryBounds.MAX_CONTENT),
        settingsSection.size("note", MemoryBounds.MIN_CONTENT, MemoryBounds.MAX_CONTENT),
        settingsSection.size("text", MemoryBounds.MIN_CONTENT, MemoryBounds.MAX_CONTENT),
        settingsSection.withUnit("parts").wholeNumber("parts", 1, MemoryBounds.MAX_ENTRIES),
        settingsSection.withUnit("turns").wholeNumber("batch", 1, MemoryBounds.MAX_ENTRIES),
        settingsSection.withUnit("entries").wholeNumber("metadata", 0, MemoryBounds.MAX_ENTRIES),
        settingsSection
            .withUnit("trajectories")
            .wholeNumber("parent-depth", 1, MemoryBounds.MAX_ENTRIES),
        settingsSection.withUnit("records").wholeNumber("page-size", 1, MemoryBounds.MAX_PAGE),
        settingsSection.withUnit("records").wholeNumber("list", 1, MemoryBounds.MAX_RECORDS),
        settingsSection
            .withUnit("turns")
            .wholeNumber("summary-sources", 1, MemoryBounds.MAX_RECORDS),
        settingsSection
            .withUnit("artifacts")
            .wholeNumber("extracted-artifacts", 0, MemoryBounds.MAX_PAGE));
  }

  private static TextAnalysisSettings text(
      SettingsSection summaries, SettingsSection findings, Settings settings) {
    Map<FindingKind, Double> confidence = new EnumMap<>(FindingKind.class);
    for (FindingKind kind : FindingKind.values()) {
      confidence.put(kind, findings.withUnit("confidence").decimalNumber(key(kind), 0, 1));
    }
    return new TextAnalysisSettings(
        summaries.withUnit("sentences").wholeNumber("sentences", 1, MemoryBounds.MAX_SENTENCES),
        Optional.of(
            summaries
                .withUnit("characters")
                .wholeNumber("sentence-length", MemoryBounds.MIN_LENGTH, MemoryBounds.MAX_LENGTH)),
        summaries.withUnit("share").decimalNumber("redundancy", 0, 1),
        confidence,
        settings.section("memory.contradictions").withUnit("share").decimalNumber("overlap", 0, 1));
  }

  private static String key(FindingKind kind) {
    return kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static NoteSettings notes(
      SettingsSection settingsSection, SettingsSection extraction, SettingsSection consolidation) {
    return new NoteSettings(
        settingsSection.withUnit("share").decimalNumber("similarity", 0, 1),
        settingsSection.withUnit("share").decimalNumber("confidence-gain", 0, 1),
        settingsSection.withUnit("notes").wholeNumber("candidates", 1, MemoryBounds.MAX_RECORDS),
        extraction.flag("from-turns"),
        new ConsolidationSettings(
            consolidation.flag("at-task-end"),
            consolidation.withUnit("artifacts").wholeNumber("batch", 1, MemoryBounds.MAX_PAGE),
            consolidation.duration("resume-after", MemoryBounds.MIN_TIME, MemoryBounds.MAX_TIME)));
  }

  private static RetentionSettings retention(SettingsSection settingsSection) {
    return new RetentionSettings(
        settingsSection.duration("traces", MemoryBounds.MIN_TIME, MemoryBounds.MAX_TIME),
        settingsSection.duration("notifications", MemoryBounds.MIN_TIME, MemoryBounds.MAX_TIME),
        settingsSection.duration("tombstones", MemoryBounds.MIN_TIME, MemoryBounds.MAX_TIME),
        settingsSection.duration("versions", MemoryBounds.MIN_TIME, MemoryBounds.MAX_TIME),
        settingsSection
            .withUnit("summaries")
            .wholeNumber("max-summary-versions", 0, MemoryBounds.MAX_SUMMARIES),
        settingsSection.duration("expired-artifacts", Duration.ZERO, MemoryBounds.MAX_TIME),
        settingsSection.duration("interval", MemoryBounds.MIN_TIME, MemoryBounds.MAX_TIME),
        new BatchSize.BatchLimits(
            settingsSection.withUnit("records").wholeNumber("batch", 1, MemoryBounds.MAX_PAGE),
            settingsSection.size("batch-bytes", MemoryBounds.MIN_CONTENT, MemoryBounds.MAX_CONTENT),
            settingsSection.duration(
                "batch-time", MemoryBounds.MIN_BATCH_TIME, MemoryBounds.MAX_TIME)));
  }

  private static RecallSearchSettings recalls(SettingsSection settingsSection) {
    return new RecallSearchSettings(
        settingsSection.withUnit("hits").wholeNumber("max-limit", 1, MemoryBounds.MAX_PAGE),
        settingsSection
            .withUnit("records")
            .wholeNumber("scan-candidates", 1, MemoryBounds.MAX_RECORDS),
        settingsSection.withUnit("similarity").decimalNumber("min-similarity", 0, 1));
  }
}
