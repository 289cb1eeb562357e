package dev.caliber.memory.view;

import dev.caliber.kernel.DataSize;
import dev.caliber.kernel.settings.SettingKey;
import dev.caliber.kernel.settings.SettingRange;
import dev.caliber.kernel.settings.StarterSettings;
import dev.caliber.memory.text.TextAnalysisSettings;
import dev.caliber.store.job.BatchSize;
import java.time.Duration;

/** Settings of {@code [memory]} in {@code caliber.toml}; the starter file explains each. */
public record MemoryConfig(
    MemoryLimits limits,
    @SettingKey("") TextAnalysisSettings text,
    @SettingKey("") NoteSettings notes,
    RetentionSettings retention,
    RecallSearchSettings recall) {

  /** Size limits of one call. */
  public record MemoryLimits(
      @SettingRange("1KiB to 512MiB") DataSize turn,
      @SettingRange("1KiB to 512MiB") DataSize artifact,
      @SettingRange("1KiB to 512MiB") DataSize note,
      @SettingRange("1KiB to 512MiB") DataSize text,
      @SettingRange("1 to 100000 parts") int parts,
      @SettingRange("1 to 100000 turns") int batch,
      @SettingRange("0 to 100000 entries") int metadata,
      @SettingRange("1 to 100000 trajectories") int parentDepth,
      @SettingRange("1 to 10000 records") int pageSize,
      @SettingRange("1 to 1000000 records") int list,
      @SettingRange("1 to 1000000 turns") int summarySources,
      @SettingRange("0 to 10000 artifacts") int extractedArtifacts) {}

  /**
   * Settings of confidence, merging, consolidation and contradictions of notes.
   *
   * @param fromTurns whether statements of users in turns of a session become notes
   */
  public record NoteSettings(
      @SettingKey("merging.similarity") @SettingRange("0 to 1 share") double similarity,
      @SettingKey("merging.confidence-gain") @SettingRange("0 to 1 share") double confidenceGain,
      @SettingKey("merging.candidates") @SettingRange("1 to 1000000 notes") int candidates,
      @SettingKey("extraction.from-turns") boolean fromTurns,
      ConsolidationSettings consolidation) {}

  /**
   * Settings of the consolidation of artifacts into notes.
   *
   * @param atTaskEnd whether artifacts become notes when their trajectory ends
   * @param batch number of artifacts that one commit reads
   * @param resumeAfter delay of the job that continues a consolidation of several commits
   */
  public record ConsolidationSettings(
      boolean atTaskEnd,
      @SettingRange("1 to 10000 artifacts") int batch,
      @SettingRange("1s to 36500d") Duration resumeAfter) {}

  /** Retention of traces, notices, tombstones and other records that memory writes by itself. */
  public record RetentionSettings(
      @SettingRange("1s to 36500d") Duration traces,
      @SettingRange("1s to 36500d") Duration notifications,
      @SettingRange("1s to 36500d") Duration tombstones,
      @SettingRange("1s to 36500d") Duration versions,
      @SettingRange("0 to 4000 summaries") int maxSummaryVersions,
      @SettingRange("0s to 36500d") Duration expiredArtifacts,
      @SettingRange("1s to 36500d") Duration interval,
      @SettingKey("") BatchSize.BatchLimits batches) {

    /** Returns the number of records that one commit takes. */
    public int batch() {
      return batches.records();
    }
  }

  /**
   * Settings of recall.
   *
   * @param minSimilarity hits below this similarity are left out
   */
  public record RecallSearchSettings(
      @SettingRange("1 to 10000 hits") int maxLimit,
      @SettingRange("1 to 1000000 records") int scanCandidates,
      @SettingRange("0 to 1 similarity") double minSimilarity) {}

  /** Returns the settings of the starter file. */
  public static MemoryConfig starter() {
    return StarterSettings.read("memory", MemoryConfig.class);
  }

  /** Returns these settings with lines of TOML over them; each line has the full key. */
  public MemoryConfig with(String... lines) {
    return StarterSettings.override("memory", this, lines);
  }

  /** Returns the batch of one maintenance commit, at most one page. */
  public int maintenanceBatch() {
    return Math.min(retention.batch(), limits.pageSize());
  }

  /** Returns the batch of one consolidation commit, at most one page. */
  public int consolidationBatch() {
    return Math.min(notes.consolidation().batch(), limits.pageSize());
  }
}
