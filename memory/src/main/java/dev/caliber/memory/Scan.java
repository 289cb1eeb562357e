package dev.caliber.memory;

import dev.caliber.memory.command.RecallQuery;
import dev.caliber.memory.command.Recollection.Hit;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.spi.TokenCounter;
import dev.caliber.memory.text.WordRanking;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Recalls without an index: reads the newest records that fit and ranks them by their words. */
final class Scan {
  static final String METHOD = "scan";
  static final String METHOD_BEHIND = "scan (the index is behind)";

  private final MemoryView view;
  private final MemoryConfig.Recalls rules;
  private final TokenCounter counter;

  Scan(MemoryView view, MemoryConfig.Recalls rules, TokenCounter counter) {
    this.view = view;
    this.rules = rules;
    this.counter = counter;
  }

  /** Best first; equal scores by age, then by id. */
  List<Hit> find(RecallQuery query, Instant now) {
    List<Hit> candidates = candidates(query, query.asOf().orElse(now));
    List<Double> scores = WordRanking.of(query.text(), candidates.stream().map(Hit::text).toList());
    List<Hit> hits = new ArrayList<>();
    for (int i = 0; i < candidates.size(); i++) {
      if (scores.get(i) > 0) {
        hits.add(scored(candidates.get(i), scores.get(i)));
      }
    }
    return hits.stream().sorted(BEST_FIRST).limit(query.limit()).toList();
  }

  private static final Comparator<Hit> BEST_FIRST =
      Comparator.comparingDouble(Hit::score)
          .reversed()
          .thenComparing(Hit::createdAt, Comparator.reverseOrder())
          .thenComparing(Hit::id);

  private List<Hit> candidates(RecallQuery query, Instant at) {
    Candidates found = new Candidates(view, query.filter(), at, rules.candidates());
    List<Hit> hits = new ArrayList<>();
    found.notes().stream().flatMap(note -> note(note, query, at).stream()).forEach(hits::add);
    found.turns().stream().filter(turn -> isThere(turn, at)).map(this::turn).forEach(hits::add);
    found.artifacts().stream()
        .filter(made -> made.wasLive(at))
        .flatMap(made -> artifact(made).stream())
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
        .map(version -> hit(EntityType.NOTE, version.id(), version.content(), version.createdAt()));
  }

  private Hit turn(Turn turn) {
    return hit(EntityType.TURN, turn.id(), turn.words(), turn.createdAt());
  }

  private Optional<Hit> artifact(Artifact made) {
    return made.content()
        .text()
        .map(text -> hit(EntityType.ARTIFACT, made.id(), text, made.createdAt()));
  }

  private Hit hit(EntityType type, dev.caliber.kernel.Id id, String text, Instant createdAt) {
    return new Hit(type, id, text, 0, counter.count(text), createdAt);
  }

  private static Hit scored(Hit hit, double score) {
    return new Hit(hit.type(), hit.id(), hit.text(), score, hit.tokens(), hit.createdAt());
  }
}
