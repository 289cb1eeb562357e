package dev.caliber.memory.record;

import dev.caliber.kernel.Id;
import java.util.List;
import java.util.Optional;

/**
 * Origin of an artifact.
 *
 * @param sourceTurn position of the turn it was found in
 * @param confidence from 0 to 1; empty if there is no judgement
 * @param sources the records it was made from
 */
public record Provenance(
    Optional<Integer> sourceTurn,
    ExtractionMethod method,
    Optional<Double> confidence,
    List<Id> sources) {
  public Provenance {
    confidence.ifPresent(Confidence::require);
    sources = List.copyOf(sources);
  }

  public static Provenance of(ExtractionMethod method) {
    return new Provenance(Optional.empty(), method, Optional.empty(), List.of());
  }

  /** Returns the provenance of an inference from this turn. */
  public static Provenance inferred(Turn turn, double confidence) {
    return new Provenance(
        Optional.of(turn.position()),
        ExtractionMethod.INFERRED,
        Optional.of(confidence),
        List.of(turn.id()));
  }

  /** Returns whether it names a turn or a record, or a user provided it. */
  public boolean isGrounded() {
    return sourceTurn.isPresent() || !sources.isEmpty() || method == ExtractionMethod.USER_PROVIDED;
  }

  /** Removes these sources and the turn position, which may belong to one of them. */
  Provenance withoutSources(List<Id> gone) {
    return new Provenance(Optional.empty(), method, confidence, DistinctLists.minus(sources, gone));
  }

  /** Merges a repeated finding: its method and confidence, all sources. */
  public Provenance mergedWith(Provenance again) {
    return new Provenance(
        again.sourceTurn.or(() -> sourceTurn),
        again.method,
        again.confidence.or(() -> confidence),
        DistinctLists.union(sources, again.sources));
  }
}
