package dev.caliber.memory.commit;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.spi.ContradictionJudgement;
import dev.caliber.memory.spi.ExtractionResult;
import dev.caliber.memory.spi.Passage;
import dev.caliber.memory.spi.Summary;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Model results that were computed before a commit, by scope or trajectory. A result whose input
 * has changed since is not returned.
 *
 * @param matchedRecords the records that match a filter; one that has changed since may not match
 *     any more
 */
public record PreCommitModelResults(
    Map<Id, PreCommitModelResult<Summary>> summaries,
    Map<Id, PreCommitModelResult<Optional<ExtractionResult>>> findings,
    Optional<PreCommitModelResult<Optional<ContradictionJudgement>>> judgement,
    Optional<List<EntityRef>> matchedRecords) {
  public static final PreCommitModelResults NOTHING =
      new PreCommitModelResults(Map.of(), Map.of(), Optional.empty(), Optional.empty());

  /** Wraps the records that match a filter. */
  public static PreCommitModelResults of(List<EntityRef> matched) {
    return new PreCommitModelResults(
        Map.of(), Map.of(), Optional.empty(), Optional.of(List.copyOf(matched)));
  }

  /** Result and the passages that it was computed from. */
  public record PreCommitModelResult<T>(List<Passage> passages, T result) {}

  public PreCommitModelResults {
    summaries = Map.copyOf(summaries);
    findings = Map.copyOf(findings);
  }

  /** Returns the summary of these passages. */
  public Optional<Summary> summary(Id about, List<Passage> passages) {
    return lookUp(summaries, about, passages);
  }

  /**
   * Answer of an extractor.
   *
   * @param asked false if no extractor was asked about the passages
   * @param extract empty if the extractor has failed, or was not asked
   */
  record ExtractorAnswer(boolean asked, Optional<ExtractionResult> extract) {}

  /** Returns the answer of the extractor for these passages. */
  ExtractorAnswer findings(Id about, List<Passage> passages) {
    return lookUp(findings, about, passages)
        .map(extract -> new ExtractorAnswer(true, extract))
        .orElseGet(() -> new ExtractorAnswer(false, Optional.empty()));
  }

  /** Returns whether a judge was asked and has failed. */
  boolean hasJudgeFailed() {
    return judgement
        .filter(preCommitModelResult -> preCommitModelResult.result().isEmpty())
        .isPresent();
  }

  /** Returns the method by which a judge found a conflict with this unchanged note. */
  Optional<String> contradictionMethod(Passage note) {
    return judgement
        .filter(preCommitModelResult -> preCommitModelResult.passages().contains(note))
        .flatMap(PreCommitModelResult::result)
        .filter(said -> said.contradicted().contains(note.source()))
        .map(ContradictionJudgement::method);
  }

  private static <T> Optional<T> lookUp(
      Map<Id, PreCommitModelResult<T>> all, Id about, List<Passage> passages) {
    return Optional.ofNullable(all.get(about))
        .filter(preCommitModelResult -> preCommitModelResult.passages().equals(passages))
        .map(PreCommitModelResult::result);
  }
}
