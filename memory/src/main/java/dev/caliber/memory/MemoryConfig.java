package dev.caliber.memory;

import dev.caliber.kernel.DataSize;
import dev.caliber.kernel.settings.Section;
import dev.caliber.kernel.settings.Settings;
import dev.caliber.memory.spi.FindingKind;
import dev.caliber.memory.text.TextRules;
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

/** The {@code [memory]} part of {@code caliber.toml}; the starter file explains every key. */
public record MemoryConfig(
    Limits limits, TextRules text, Notes notes, Retention retention, Recalls recall) {

  private static final String STARTER = "starter.toml";

  /** How much one call may bring or take. */
  public record Limits(
      DataSize turn,
      DataSize artifact,
      DataSize note,
      DataSize text,
      int parts,
      int turns,
      int metadata,
      int parents,
      int page,
      int records,
      int summarized,
      int extracted) {

    public Limits withRecords(int other) {
      return new Limits(
          turn,
          artifact,
          note,
          text,
          parts,
          turns,
          metadata,
          parents,
          page,
          other,
          summarized,
          extracted);
    }
  }

  /**
   * How notes are believed, merged, made of artifacts and held against each other.
   *
   * @param fromTurns whether what users state in turns of a session becomes notes
   */
  public record Notes(
      double likeness,
      double gain,
      int candidates,
      boolean fromTurns,
      Consolidation consolidation) {
    public Notes with(Consolidation other) {
      return new Notes(likeness, gain, candidates, fromTurns, other);
    }
  }

  /**
   * How artifacts become notes.
   *
   * @param atTaskEnd whether what a task leaves becomes notes when it ends
   * @param batch how many artifacts one commit looks at
   * @param patience how long a job waits for whoever makes them in several commits
   */
  public record Consolidation(boolean atTaskEnd, int batch, Duration patience) {
    public Consolidation madeAtTaskEnd() {
      return new Consolidation(true, batch, patience);
    }

    public Consolidation withBatch(int other) {
      return new Consolidation(atTaskEnd, other, patience);
    }
  }

  /** How long what grows by itself is kept, and how much of it. */
  public record Retention(
      Duration traces,
      Duration notices,
      Duration tombstones,
      Duration history,
      int summaries,
      Duration expired,
      Duration interval,
      BatchSize.Rules batches) {

    /** How many records one commit takes. */
    public int batch() {
      return batches.records();
    }

    public Retention withBatch(int other) {
      return withBatches(new BatchSize.Rules(other, batches.bytes(), batches.time()));
    }

    public Retention withBatches(BatchSize.Rules other) {
      return new Retention(
          traces, notices, tombstones, history, summaries, expired, interval, other);
    }
  }

  /**
   * How much is recalled, and how far the search without an index looks.
   *
   * @param minSimilarity what is less similar to the query does not answer it
   */
  public record Recalls(int limit, int candidates, double minSimilarity) {}

  /** What the jar's own file says. */
  public static MemoryConfig starter() {
    Settings settings = Settings.parse("the starter file", starterText());
    MemoryConfig config = from(settings);
    settings.verify();
    return config;
  }

  /** The jar's own {@code [memory]} part, with a sentence for every key. */
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
        text(settings.section("memory.summaries"), settings.section("memory.findings"), settings),
        notes(settings.section("memory.merging"), settings.section("memory.consolidation")),
        retention(settings.section("memory.retention")),
        recalls(settings.section("memory.recall")));
  }

  public MemoryConfig withLimits(Limits other) {
    return new MemoryConfig(other, text, notes, retention, recall);
  }

  public MemoryConfig withRetention(Retention other) {
    return new MemoryConfig(limits, text, notes, other, recall);
  }

  public MemoryConfig withNotes(Notes other) {
    return new MemoryConfig(limits, text, other, retention, recall);
  }

  /** What one commit of upkeep goes through: a batch, and no more than is read at once. */
  int portion() {
    return Math.min(retention.batch(), limits.page());
  }

  /** What one commit of consolidation looks at: a batch, and no more than is read at once. */
  int consolidated() {
    return Math.min(notes.consolidation().batch(), limits.page());
  }

  public MemoryConfig withRecall(Recalls other) {
    return new MemoryConfig(limits, text, notes, retention, other);
  }

  private static Limits limits(Section section) {
    return new Limits(
        section.size("turn", MemoryBounds.MIN_CONTENT, MemoryBounds.MAX_CONTENT),
        section.size("artifact", MemoryBounds.MIN_CONTENT, MemoryBounds.MAX_CONTENT),
        section.size("note", MemoryBounds.MIN_CONTENT, MemoryBounds.MAX_CONTENT),
        section.size("text", MemoryBounds.MIN_CONTENT, MemoryBounds.MAX_CONTENT),
        section.in("parts").whole("parts", 1, MemoryBounds.MAX_ENTRIES),
        section.in("turns").whole("turns", 1, MemoryBounds.MAX_ENTRIES),
        section.in("entries").whole("metadata", 0, MemoryBounds.MAX_ENTRIES),
        section.in("trajectories").whole("parents", 1, MemoryBounds.MAX_ENTRIES),
        section.in("records").whole("page", 1, MemoryBounds.MAX_PAGE),
        section.in("records").whole("records", 1, MemoryBounds.MAX_RECORDS),
        section.in("turns").whole("summarized", 1, MemoryBounds.MAX_RECORDS),
        section.in("artifacts").whole("extracted", 0, MemoryBounds.MAX_PAGE));
  }

  private static TextRules text(Section summaries, Section findings, Settings settings) {
    Map<FindingKind, Double> confidence = new EnumMap<>(FindingKind.class);
    for (FindingKind kind : FindingKind.values()) {
      confidence.put(kind, findings.in("confidence").real(key(kind), 0, 1));
    }
    return new TextRules(
        summaries.in("sentences").whole("sentences", 1, MemoryBounds.MAX_SENTENCES),
        Optional.of(
            summaries
                .in("characters")
                .whole("length", MemoryBounds.MIN_LENGTH, MemoryBounds.MAX_LENGTH)),
        summaries.in("share").real("redundancy", 0, 1),
        confidence,
        settings.section("memory.contradictions").in("share").real("overlap", 0, 1));
  }

  private static String key(FindingKind kind) {
    return kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static Notes notes(Section section, Section consolidation) {
    return new Notes(
        section.in("share").real("likeness", 0, 1),
        section.in("share").real("gain", 0, 1),
        section.in("notes").whole("candidates", 1, MemoryBounds.MAX_RECORDS),
        section.flag("from-turns"),
        new Consolidation(
            consolidation.flag("at-task-end"),
            consolidation.in("artifacts").whole("batch", 1, MemoryBounds.MAX_PAGE),
            consolidation.duration("patience", MemoryBounds.MIN_TIME, MemoryBounds.MAX_TIME)));
  }

  private static Retention retention(Section section) {
    return new Retention(
        section.duration("traces", MemoryBounds.MIN_TIME, MemoryBounds.MAX_TIME),
        section.duration("notices", MemoryBounds.MIN_TIME, MemoryBounds.MAX_TIME),
        section.duration("tombstones", MemoryBounds.MIN_TIME, MemoryBounds.MAX_TIME),
        section.duration("history", MemoryBounds.MIN_TIME, MemoryBounds.MAX_TIME),
        section.in("summaries").whole("summaries", 0, MemoryBounds.MAX_SUMMARIES),
        section.duration("expired", Duration.ZERO, MemoryBounds.MAX_TIME),
        section.duration("interval", MemoryBounds.MIN_TIME, MemoryBounds.MAX_TIME),
        new BatchSize.Rules(
            section.in("records").whole("batch", 1, MemoryBounds.MAX_PAGE),
            section.size("batch-bytes", MemoryBounds.MIN_CONTENT, MemoryBounds.MAX_CONTENT),
            section.duration("batch-time", MemoryBounds.MIN_BATCH_TIME, MemoryBounds.MAX_TIME)));
  }

  private static Recalls recalls(Section section) {
    return new Recalls(
        section.in("hits").whole("limit", 1, MemoryBounds.MAX_PAGE),
        section.in("records").whole("candidates", 1, MemoryBounds.MAX_RECORDS),
        section.in("similarity").real("min-similarity", 0, 1));
  }
}
