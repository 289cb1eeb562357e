package dev.caliber.memory.commit;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.MemoryKind;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.spi.Passage;
import dev.caliber.memory.spi.Summary;
import dev.caliber.memory.view.LiveArtifacts;
import dev.caliber.memory.view.MemoryView;
import dev.caliber.memory.view.TrajectoryNotes;
import dev.caliber.store.Query;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Passages for the summary of a whole trajectory: its newest artifacts, notes or summaries of
 * scopes.
 *
 * @param extent present if there are more than those
 */
public record TaskPassages(List<Passage> passages, Optional<Summary.SummaryExtent> extent) {
  private static final Comparator<Artifact> BY_TYPE =
      Comparator.<Artifact, String>comparing(made -> made.type().name())
          .thenComparing(Artifact::createdAt)
          .thenComparing(Artifact::id);

  public TaskPassages {
    passages = List.copyOf(passages);
  }

  /** Reads at most {@code most} records of one kind. */
  static TaskPassages of(MemoryView view, Id task, MemoryKind kind, Instant now, int most) {
    return switch (kind) {
      case ARTIFACT -> ofArtifacts(view, task, now, most);
      case NOTE -> ofNotes(view, task, now, most);
      case TURN, SCOPE, TRAJECTORY -> ofScopes(view, task, most);
    };
  }

  private static TaskPassages ofArtifacts(MemoryView view, Id task, Instant now, int most) {
    LiveArtifacts liveArtifacts = new LiveArtifacts(view, task);
    List<Artifact> newest = liveArtifacts.newest(now, most);
    return new TaskPassages(
        newest.stream().sorted(BY_TYPE).flatMap(RuleBasedExtraction::artifactPassages).toList(),
        extent("artifacts", newest.size(), most, liveArtifacts::count));
  }

  private static TaskPassages ofNotes(MemoryView view, Id task, Instant now, int most) {
    TrajectoryNotes trajectoryNotes = new TrajectoryNotes(view, task);
    List<Note> newest = trajectoryNotes.newest(note -> note.isLive(now), most);
    return new TaskPassages(
        newest.reversed().stream().map(RuleBasedExtraction::notePassage).toList(),
        extent("notes", newest.size(), most, trajectoryNotes::count));
  }

  /**
   * Reads sentences of scope summaries with their source turns, so that the way back is one step.
   */
  private static TaskPassages ofScopes(MemoryView view, Id task, int most) {
    List<Scope> newest = newestSummarized(view, task, most);
    return new TaskPassages(
        newest.stream()
            .flatMap(scope -> scope.summary().stream())
            .flatMap(RuleBasedExtraction::sentencePassages)
            .toList(),
        extent("scopes", newest.size(), most, () -> view.countScopes(task)));
  }

  /** Returns the newest scopes that have a summary and were not rolled back, by sequence. */
  private static List<Scope> newestSummarized(MemoryView view, Id task, int most) {
    return view.snapshot()
        .list(
            Query.over(Scope.TABLE, "trajectory", "sequence")
                .equal(task)
                .descending()
                .where(TaskPassages::isSummarized),
            most)
        .reversed();
  }

  private static boolean isSummarized(Scope scope) {
    return scope.rolledBackAt().isEmpty()
        && scope.summary().filter(summary -> !summary.isPlaceholder()).isPresent();
  }

  /** Returns the extent; all records are counted only if there may be more. */
  private static Optional<Summary.SummaryExtent> extent(
      String records, int found, int most, LongSupplier all) {
    return Optional.of(found)
        .filter(seen -> seen >= most)
        .map(seen -> new Summary.SummaryExtent(records, seen, all.getAsLong()))
        .filter(part -> part.all() > part.newest());
  }
}
