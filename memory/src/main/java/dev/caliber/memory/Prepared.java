package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.spi.Extract;
import dev.caliber.memory.spi.Judgement;
import dev.caliber.memory.spi.Passage;
import dev.caliber.memory.spi.Summary;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What was made before a commit, by the scope or trajectory it is of. What has changed since, or
 * was forgotten, has nothing.
 *
 * @param meant the records that a filter means; one that was changed since may pass it no more
 */
record Prepared(
    Map<Id, Made<Summary>> summaries,
    Map<Id, Made<Optional<Extract>>> findings,
    Optional<Made<Optional<Judgement>>> judgement,
    Optional<List<EntityRef>> meant) {
  static final Prepared NOTHING =
      new Prepared(Map.of(), Map.of(), Optional.empty(), Optional.empty());

  /** What a filter means. */
  static Prepared of(List<EntityRef> meant) {
    return new Prepared(Map.of(), Map.of(), Optional.empty(), Optional.of(List.copyOf(meant)));
  }

  /** Something and what it was made from. */
  record Made<T>(List<Passage> passages, T what) {}

  Prepared {
    summaries = Map.copyOf(summaries);
    findings = Map.copyOf(findings);
  }

  /** The summary of these passages. */
  Optional<Summary> summary(Id about, List<Passage> passages) {
    return of(summaries, about, passages);
  }

  /**
   * What an extractor has answered.
   *
   * @param asked false where no extractor was asked about the passages
   * @param extract empty where the extractor has failed, or was not asked
   */
  record Findings(boolean asked, Optional<Extract> extract) {}

  /** What an extractor has found in these passages. */
  Findings findings(Id about, List<Passage> passages) {
    return of(findings, about, passages)
        .map(extract -> new Findings(true, extract))
        .orElseGet(() -> new Findings(false, Optional.empty()));
  }

  /** Whether a judge was asked and has failed. */
  boolean isUnjudged() {
    return judgement.filter(made -> made.what().isEmpty()).isPresent();
  }

  /** How a judge found that what is written contradicts this note, as the note reads now. */
  Optional<String> contradiction(Passage note) {
    return judgement
        .filter(made -> made.passages().contains(note))
        .flatMap(Made::what)
        .filter(said -> said.contradicted().contains(note.source()))
        .map(Judgement::method);
  }

  private static <T> Optional<T> of(Map<Id, Made<T>> all, Id about, List<Passage> passages) {
    return Optional.ofNullable(all.get(about))
        .filter(made -> made.passages().equals(passages))
        .map(Made::what);
  }
}
