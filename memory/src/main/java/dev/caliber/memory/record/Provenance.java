package dev.caliber.memory.record;

import dev.caliber.kernel.Id;
import java.util.List;
import java.util.Optional;

/**
 * Where an artifact comes from.
 *
 * @param sourceTurn the position in its trajectory of the turn it was found in
 * @param confidence from 0 to 1; empty when nobody has judged
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

  /** Found in this turn, with this confidence. */
  public static Provenance inferred(Turn turn, double confidence) {
    return new Provenance(
        Optional.of(turn.position()),
        ExtractionMethod.INFERRED,
        Optional.of(confidence),
        List.of(turn.id()));
  }

  /** Whether it names a turn or a record, or a user has said it. */
  public boolean isGrounded() {
    return sourceTurn.isPresent() || !sources.isEmpty() || method == ExtractionMethod.USER_PROVIDED;
  }

  /** Without these sources; the place of the turn goes with them, for it may be theirs. */
  Provenance without(List<Id> gone) {
    return new Provenance(Optional.empty(), method, confidence, Lists.minus(sources, gone));
  }

  /** The same content was found again: the new method and confidence, all sources. */
  public Provenance seenAgain(Provenance again) {
    return new Provenance(
        again.sourceTurn.or(() -> sourceTurn),
        again.method,
        again.confidence.or(() -> confidence),
        Lists.union(sources, again.sources));
  }
}
