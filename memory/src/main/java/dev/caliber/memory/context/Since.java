package dev.caliber.memory.context;

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

/** What happened to a record between the moments of two windows of which only one offered it. */
record Since(Snapshot snapshot) {
  static final String WRITTEN = "written since";
  private static final String GONE = "removed since";

  /** How and when a record stops being shown. */
  private record End(Optional<Instant> at, String words) {

    /** What was seen at a moment and ends at the same ended just after it. */
    boolean isBetween(Instant seen, Instant missed) {
      return at.filter(time -> !time.isBefore(seen) && !time.isAfter(missed)).isPresent();
    }
  }

  /**
   * Why the other window did not offer it; empty where the record's own times do not say it.
   *
   * @param seen the moment of the window that offered it
   * @param missed the moment of the one that did not
   */
  Optional<String> why(Candidate candidate, Instant seen, Instant missed) {
    if (candidate.kind() == SourceKind.SYSTEM) {
      return Optional.empty();
    }
    return candidate.time().isAfter(missed) ? Optional.of(WRITTEN) : ended(candidate, seen, missed);
  }

  private Optional<String> ended(Candidate candidate, Instant seen, Instant missed) {
    Optional<List<End>> ends = ends(candidate);
    if (ends.isEmpty()) {
      return Optional.of(GONE);
    }
    return ends.get().stream()
        .filter(end -> end.isBetween(seen, missed))
        .min(Comparator.comparing(end -> end.at().orElseThrow()))
        .map(End::words);
  }

  /** Empty where there is no such record any more. */
  private Optional<List<End>> ends(Candidate candidate) {
    return switch (candidate.kind()) {
      case TURN -> of(candidate, Turn.TABLE, Since::ends);
      case ARTIFACT -> of(candidate, Artifact.TABLE, Since::ends);
      case NOTE -> of(candidate, Note.TABLE, Since::ends);
      case SCOPE ->
          of(candidate, Scope.TABLE, scope -> Stream.of(rolledBack(scope.rolledBackAt())));
      case TRAJECTORY, SYSTEM -> Optional.of(List.of());
    };
  }

  private <T> Optional<List<End>> of(
      Candidate candidate, Table<T> table, Function<T, Stream<End>> ends) {
    return snapshot.find(table, candidate.id()).map(record -> ends.apply(record).toList());
  }

  private static Stream<End> ends(Turn turn) {
    return Stream.of(
        rolledBack(turn.rolledBackAt()), new End(turn.archivedAt(), "summarised since"));
  }

  private static Stream<End> ends(Artifact artifact) {
    return Stream.of(
        rolledBack(artifact.rolledBackAt()),
        superseded(artifact.supersededAt()),
        expired(artifact.expiresAt()));
  }

  private static Stream<End> ends(Note note) {
    return Stream.of(
        note.supersededBy().isPresent()
            ? superseded(note.retiredAt())
            : new End(note.retiredAt(), "retired since"),
        expired(note.valid().until()));
  }

  private static End rolledBack(Optional<Instant> at) {
    return new End(at, "rolled back since");
  }

  private static End superseded(Optional<Instant> at) {
    return new End(at, "superseded since");
  }

  private static End expired(Optional<Instant> at) {
    return new End(at, "expired since");
  }
}
