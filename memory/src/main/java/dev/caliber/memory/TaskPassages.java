package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.MemoryKind;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.spi.Passage;
import dev.caliber.memory.spi.Summary;
import dev.caliber.store.Query;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * What a summary of a whole task is made of: the newest of its artifacts, of its notes or of the
 * summaries of its scopes.
 *
 * @param extent that there are more than those
 */
record TaskPassages(List<Passage> passages, Optional<Summary.Extent> extent) {
  private static final Comparator<Artifact> BY_TYPE =
      Comparator.<Artifact, String>comparing(made -> made.type().name())
          .thenComparing(Artifact::createdAt)
          .thenComparing(Artifact::id);

  TaskPassages {
    passages = List.copyOf(passages);
  }

  /** Of a task, as one kind of record tells it, at most so many of them. */
  static TaskPassages of(MemoryView view, Id task, MemoryKind kind, Instant now, int most) {
    return switch (kind) {
      case ARTIFACT -> ofArtifacts(view, task, now, most);
      case NOTE -> ofNotes(view, task, now, most);
      case TURN, SCOPE, TRAJECTORY -> ofScopes(view, task, most);
    };
  }

  private static TaskPassages ofArtifacts(MemoryView view, Id task, Instant now, int most) {
    Standing standing = new Standing(view, task);
    List<Artifact> newest = standing.newest(now, most);
    return new TaskPassages(
        newest.stream().sorted(BY_TYPE).flatMap(Digest::passage).toList(),
        extent("artifacts", newest.size(), most, standing::count));
  }

  private static TaskPassages ofNotes(MemoryView view, Id task, Instant now, int most) {
    Learned learned = new Learned(view, task);
    List<Note> newest = learned.newest(note -> note.isLive(now), most);
    return new TaskPassages(
        newest.reversed().stream().map(Digest::passage).toList(),
        extent("notes", newest.size(), most, learned::count));
  }

  /** The sentences of scopes keep the turns they came from, so that the way back is one step. */
  private static TaskPassages ofScopes(MemoryView view, Id task, int most) {
    List<Scope> newest = newestTold(view, task, most);
    return new TaskPassages(
        newest.stream()
            .flatMap(scope -> scope.summary().stream())
            .flatMap(Digest::passages)
            .toList(),
        extent("scopes", newest.size(), most, () -> view.countScopes(task)));
  }

  /** The newest scopes that stand and are told of, at most so many, by sequence. */
  private static List<Scope> newestTold(MemoryView view, Id task, int most) {
    return view.upTo(
            Query.over(Scope.TABLE, "trajectory", "sequence")
                .equal(task)
                .descending()
                .where(TaskPassages::isTold),
            most)
        .reversed();
  }

  private static boolean isTold(Scope scope) {
    return scope.rolledBackAt().isEmpty()
        && scope.summary().filter(told -> !told.isPlaceholder()).isPresent();
  }

  /** They are counted only where there may be more. */
  private static Optional<Summary.Extent> extent(
      String records, int found, int most, LongSupplier all) {
    return Optional.of(found)
        .filter(seen -> seen >= most)
        .map(seen -> new Summary.Extent(records, seen, all.getAsLong()))
        .filter(part -> part.all() > part.newest());
  }
}
