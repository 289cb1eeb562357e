package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.Artifact;
import dev.caliber.store.Query;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The artifacts of a trajectory whose place nothing took. Of them are kept those that outlive their
 * task. Whoever counts them counts in what has ended of age and waits for clean-up.
 */
record Standing(MemoryView view, Id trajectory) {

  /** The newest live ones, whatever they outlive, at most so many, newest first. */
  List<Artifact> newest(Instant at, int limit) {
    return Stream.of(true, false)
        .map(bound -> all(bound).descending().where(made -> made.isLive(at)))
        .flatMap(made -> view.upTo(made, limit).stream())
        .sorted(Comparator.comparing(Artifact::createdAt).thenComparing(Artifact::id).reversed())
        .limit(limit)
        .toList();
  }

  long count() {
    return view.snapshot().count(all(true)) + view.snapshot().count(all(false));
  }

  /** The newest live ones that are kept, at most so many, oldest first. */
  List<Artifact> lastKept(Instant at, int limit) {
    return view.upTo(all(false).descending().where(made -> made.isLive(at)), limit).reversed();
  }

  long countKept() {
    return view.snapshot().count(all(false));
  }

  private Query<Artifact> all(boolean bound) {
    return Query.over(Artifact.TABLE, "standing_in", "bound", "created_at")
        .equal(trajectory, bound);
  }
}
