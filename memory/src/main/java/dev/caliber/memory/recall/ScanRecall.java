package dev.caliber.memory.recall;

import dev.caliber.memory.command.RecallQuery;
import dev.caliber.memory.command.RecallResult.RecallHit;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.spi.TokenCounter;
import dev.caliber.memory.text.RecallExplainer;
import dev.caliber.memory.text.WordRanking;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.memory.view.MemoryView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Recall without an index: reads the newest matching records and ranks them by their words. */
public final class ScanRecall {
  public static final String METHOD = "scan";
  public static final String METHOD_BEHIND = "scan (the index is behind)";

  private final MemoryView view;
  private final MemoryConfig.RecallSearchSettings rules;
  private final RecallHitFactory records;
  private final RecordVisibility subjects;

  public ScanRecall(
      MemoryView view, MemoryConfig.RecallSearchSettings rules, TokenCounter counter) {
    this.view = view;
    this.rules = rules;
    this.records = new RecallHitFactory(view, counter);
    this.subjects = new RecordVisibility(view.snapshot());
  }

  /**
   * Hits of a scan.
   *
   * @param partial whether more records match than a scan reads
   */
  public record ScanRecallResult(List<RecallHit> hits, boolean partial) {}

  /** Returns the hits, best first; equal scores by age, then by id. */
  public ScanRecallResult recall(RecallQuery query, Instant now) {
    Instant at = query.asOf().orElse(now);
    ScannedRecords scannedRecords =
        readNewest(
            new FilteredRecordReader(
                view, subjects, query.filter(), query.visible(), at, rules.scanCandidates() + 1));
    return new ScanRecallResult(
        rank(query, toHits(scannedRecords, query, at)), scannedRecords.partial());
  }

  private List<RecallHit> rank(RecallQuery query, List<RecallHit> candidates) {
    List<Double> scores =
        WordRanking.scores(query.text(), candidates.stream().map(RecallHit::text).toList());
    double least = query.minSimilarity().orElse(rules.minSimilarity());
    List<RecallHit> hits = new ArrayList<>();
    for (int i = 0; i < candidates.size(); i++) {
      if (scores.get(i) > 0 && scores.get(i) >= least) {
        RecallHit found = candidates.get(i);
        String why = RecallExplainer.explain(query.text(), found.text(), false);
        hits.add(found.withMatch(scores.get(i), why));
      }
    }
    return records.deduplicate(hits.stream().sorted(BEST_FIRST).toList()).stream()
        .limit(query.limit())
        .toList();
  }

  private static final Comparator<RecallHit> BEST_FIRST =
      Comparator.comparingDouble(RecallHit::similarity)
          .reversed()
          .thenComparing(RecallHit::createdAt, Comparator.reverseOrder())
          .thenComparing(RecallHit::id);

  /** Newest records of each kind. */
  private record ScannedRecords(
      List<Note> notes, List<Turn> turns, List<Artifact> artifacts, boolean partial) {}

  private ScannedRecords readNewest(FilteredRecordReader found) {
    List<Note> notes = found.notes();
    List<Turn> turns = found.turns();
    List<Artifact> artifacts = found.artifacts();
    boolean partial =
        Stream.of(notes, turns, artifacts).anyMatch(all -> all.size() > rules.scanCandidates());
    return new ScannedRecords(newest(notes), newest(turns), newest(artifacts), partial);
  }

  private <T> List<T> newest(List<T> all) {
    return all.subList(0, Math.min(all.size(), rules.scanCandidates()));
  }

  private List<RecallHit> toHits(ScannedRecords found, RecallQuery query, Instant at) {
    List<RecallHit> hits = new ArrayList<>();
    found.notes().stream().flatMap(note -> noteHit(note, query, at).stream()).forEach(hits::add);
    found.turns().stream()
        .filter(turn -> wasNotRolledBack(turn, at))
        .map(records::turnHit)
        .forEach(hits::add);
    found.artifacts().stream()
        .filter(made -> made.wasLive(at))
        .flatMap(made -> records.artifactHit(made).stream())
        .forEach(hits::add);
    return hits;
  }

  private static boolean wasNotRolledBack(Turn turn, Instant at) {
    return turn.rolledBackAt().filter(end -> !end.isAfter(at)).isEmpty();
  }

  private Optional<RecallHit> noteHit(Note note, RecallQuery query, Instant at) {
    Optional<Note> then = query.asOf().isPresent() ? view.asOf(note, at) : Optional.of(note);
    return then.filter(version -> query.asOf().isPresent() || version.isBelieved())
        .filter(version -> version.valid().contains(at))
        .filter(version -> subjects.isVisible(query.visible(), version))
        .map(records::noteHit);
  }
}
