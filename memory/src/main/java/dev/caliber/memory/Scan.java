package dev.caliber.memory;

import dev.caliber.memory.command.RecallQuery;
import dev.caliber.memory.command.Recollection.Hit;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.spi.TokenCounter;
import dev.caliber.memory.text.RecallReason;
import dev.caliber.memory.text.WordRanking;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Recalls without an index: reads the newest records that fit and ranks them by their words. */
final class Scan {
  static final String METHOD = "scan";
  static final String METHOD_BEHIND = "scan (the index is behind)";

  private final MemoryView view;
  private final MemoryConfig.Recalls rules;
  private final RecallHits records;
  private final RecordSubjects subjects;

  Scan(MemoryView view, MemoryConfig.Recalls rules, TokenCounter counter) {
    this.view = view;
    this.rules = rules;
    this.records = new RecallHits(view, counter);
    this.subjects = new RecordSubjects(view.snapshot());
  }

  /**
   * What a scan has found.
   *
   * @param partial whether there were more records to read than a scan reads
   */
  record Found(List<Hit> hits, boolean partial) {}

  /** Best first; equal scores by age, then by id. */
  Found find(RecallQuery query, Instant now) {
    Instant at = query.asOf().orElse(now);
    Read read =
        read(
            new Candidates(
                view, subjects, query.filter(), query.visible(), at, rules.candidates() + 1));
    return new Found(ranked(query, candidates(read, query, at)), read.partial());
  }

  private List<Hit> ranked(RecallQuery query, List<Hit> candidates) {
    List<Double> scores = WordRanking.of(query.text(), candidates.stream().map(Hit::text).toList());
    double least = query.minSimilarity().orElse(rules.minSimilarity());
    List<Hit> hits = new ArrayList<>();
    for (int i = 0; i < candidates.size(); i++) {
      if (scores.get(i) > 0 && scores.get(i) >= least) {
        Hit found = candidates.get(i);
        String why = RecallReason.of(query.text(), found.text(), false);
        hits.add(found.found(scores.get(i), why));
      }
    }
    return records.once(hits.stream().sorted(BEST_FIRST).toList()).stream()
        .limit(query.limit())
        .toList();
  }

  private static final Comparator<Hit> BEST_FIRST =
      Comparator.comparingDouble(Hit::similarity)
          .reversed()
          .thenComparing(Hit::createdAt, Comparator.reverseOrder())
          .thenComparing(Hit::id);

  /** The newest of each kind. */
  private record Read(
      List<Note> notes, List<Turn> turns, List<Artifact> artifacts, boolean partial) {}

  private Read read(Candidates found) {
    List<Note> notes = found.notes();
    List<Turn> turns = found.turns();
    List<Artifact> artifacts = found.artifacts();
    boolean partial =
        Stream.of(notes, turns, artifacts).anyMatch(all -> all.size() > rules.candidates());
    return new Read(newest(notes), newest(turns), newest(artifacts), partial);
  }

  private <T> List<T> newest(List<T> all) {
    return all.subList(0, Math.min(all.size(), rules.candidates()));
  }

  private List<Hit> candidates(Read found, RecallQuery query, Instant at) {
    List<Hit> hits = new ArrayList<>();
    found.notes().stream().flatMap(note -> note(note, query, at).stream()).forEach(hits::add);
    found.turns().stream().filter(turn -> isThere(turn, at)).map(records::turn).forEach(hits::add);
    found.artifacts().stream()
        .filter(made -> made.wasLive(at))
        .flatMap(made -> records.artifact(made).stream())
        .forEach(hits::add);
    return hits;
  }

  private static boolean isThere(Turn turn, Instant at) {
    return turn.rolledBackAt().filter(end -> !end.isAfter(at)).isEmpty();
  }

  private Optional<Hit> note(Note note, RecallQuery query, Instant at) {
    Optional<Note> then = query.asOf().isPresent() ? view.asOf(note, at) : Optional.of(note);
    return then.filter(version -> query.asOf().isPresent() || version.isBelieved())
        .filter(version -> version.valid().contains(at))
        .filter(version -> subjects.sees(query.visible(), version))
        .map(records::note);
  }
}
