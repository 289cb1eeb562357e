package dev.caliber.memory.context.explain;

import dev.caliber.memory.context.window.Candidate;
import dev.caliber.memory.context.window.SourceKind;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Turn;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Table;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Explains what happened to a record between the times of two windows, if only one of them offered
 * it.
 */
record RecordChangeExplainer(Snapshot snapshot) {
  static final String WRITTEN = "written since";
  private static final String GONE = "removed since";

  /** Time at which a record stopped being visible, with the reason. */
  private record VisibilityEnd(Optional<Instant> at, String words) {

    /** A record seen at the very time of its end ended just after it. */
    boolean isBetween(Instant seen, Instant missed) {
      return at.filter(time -> !time.isBefore(seen) && !time.isAfter(missed)).isPresent();
    }
  }

  /**
   * Returns why the other window did not offer the record; empty if the record's times do not show
   * it.
   *
   * @param seen the time of the window that offered it
   * @param missed the time of the one that did not
   */
  Optional<String> reasonFor(Candidate candidate, Instant seen, Instant missed) {
    if (candidate.kind() == SourceKind.SYSTEM) {
      return Optional.empty();
    }
    return candidate.time().isAfter(missed)
        ? Optional.of(WRITTEN)
        : endReason(candidate, seen, missed);
  }

  private Optional<String> endReason(Candidate candidate, Instant seen, Instant missed) {
    Optional<List<VisibilityEnd>> ends = findEnds(candidate);
    if (ends.isEmpty()) {
      return Optional.of(GONE);
    }
    return ends.get().stream()
        .filter(visibilityEnd -> visibilityEnd.isBetween(seen, missed))
        .min(Comparator.comparing(visibilityEnd -> visibilityEnd.at().orElseThrow()))
        .map(VisibilityEnd::words);
  }

  /** Returns empty if the record no longer exists. */
  private Optional<List<VisibilityEnd>> findEnds(Candidate candidate) {
    return switch (candidate.kind()) {
      case TURN -> readEnds(candidate, Turn.TABLE, RecordChangeExplainer::endsOf);
      case ARTIFACT -> readEnds(candidate, Artifact.TABLE, RecordChangeExplainer::endsOf);
      case NOTE -> readEnds(candidate, Note.TABLE, RecordChangeExplainer::endsOf);
      case SCOPE ->
          readEnds(candidate, Scope.TABLE, scope -> Stream.of(rolledBack(scope.rolledBackAt())));
      case TRAJECTORY, SYSTEM -> Optional.of(List.of());
    };
  }

  private <T> Optional<List<VisibilityEnd>> readEnds(
      Candidate candidate, Table<T> table, Function<T, Stream<VisibilityEnd>> ends) {
    return snapshot.find(table, candidate.id()).map(record -> ends.apply(record).toList());
  }

  private static Stream<VisibilityEnd> endsOf(Turn turn) {
    return Stream.of(
        rolledBack(turn.rolledBackAt()), new VisibilityEnd(turn.archivedAt(), "summarised since"));
  }

  private static Stream<VisibilityEnd> endsOf(Artifact artifact) {
    return Stream.of(
        rolledBack(artifact.rolledBackAt()),
        superseded(artifact.supersededAt()),
        expired(artifact.expiresAt()));
  }

  private static Stream<VisibilityEnd> endsOf(Note note) {
    return Stream.of(
        note.supersededBy().isPresent()
            ? superseded(note.retiredAt())
            : new VisibilityEnd(note.retiredAt(), "retired since"),
        expired(note.valid().until()));
  }

  private static VisibilityEnd rolledBack(Optional<Instant> at) {
    return new VisibilityEnd(at, "rolled back since");
  }

  private static VisibilityEnd superseded(Optional<Instant> at) {
    return new VisibilityEnd(at, "superseded since");
  }

  private static VisibilityEnd expired(Optional<Instant> at) {
    return new VisibilityEnd(at, "expired since");
  }
}
