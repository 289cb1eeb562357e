package dev.caliber.memory.view;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.Artifact;
import dev.caliber.store.Query;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Artifacts of a trajectory that are not superseded. {@code count*} includes artifacts that have
 * expired by age and are not yet removed by clean-up.
 */
public record LiveArtifacts(MemoryView view, Id trajectory) {

  /** Returns the newest {@code limit} live artifacts, newest first. */
  public List<Artifact> newest(Instant at, int limit) {
    return Stream.of(true, false)
        .map(bound -> artifactsQuery(bound).descending().where(made -> made.isLive(at)))
        .flatMap(made -> view.snapshot().list(made, limit).stream())
        .sorted(Comparator.comparing(Artifact::createdAt).thenComparing(Artifact::id).reversed())
        .limit(limit)
        .toList();
  }

  public long count() {
    return view.snapshot().count(artifactsQuery(true))
        + view.snapshot().count(artifactsQuery(false));
  }

  /** Returns the newest {@code limit} live artifacts that outlive the trajectory, oldest first. */
  public List<Artifact> newestOutlivingTask(Instant at, int limit) {
    return view.snapshot()
        .list(artifactsQuery(false).descending().where(made -> made.isLive(at)), limit)
        .reversed();
  }

  public long countOutlivingTask() {
    return view.snapshot().count(artifactsQuery(false));
  }

  private Query<Artifact> artifactsQuery(boolean bound) {
    return Query.over(Artifact.TABLE, "standing_in", "bound", "created_at")
        .equal(trajectory, bound);
  }
}
