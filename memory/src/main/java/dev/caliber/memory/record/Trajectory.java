package dev.caliber.memory.record;

import dev.caliber.kernel.Id;
import dev.caliber.memory.spi.Summary;
import dev.caliber.store.Table;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One task. Children are found by their parent.
 *
 * @param goalHash SHA-256 of the goal in UTF-8
 * @param counters what was said; the stored record says what it knows of turns that are gone, and
 *     {@link dev.caliber.memory.MemoryView} adds what the newest turn knows
 * @param group true where turns of several subjects may be in it; it then belongs to none of them
 * @param updatedAt the time of the last write to it or to anything in it; of turns {@link
 *     MemoryView} knows
 */
public record Trajectory(
    Id id,
    String goal,
    String goalHash,
    TrajectoryStatus status,
    EntityRef initiator,
    List<String> tags,
    Optional<Id> parent,
    Counters counters,
    Optional<Summary> summary,
    Optional<Outcome> outcome,
    Labels labels,
    Instant createdAt,
    Instant updatedAt,
    Optional<Boolean> group) {

  public static final Table<Trajectory> TABLE =
      Table.of("trajectory", "Tasks, with parents and children.", Trajectory.class, Trajectory::id)
          .text("status", trajectory -> trajectory.status.name())
          .text("goal_hash", Trajectory::goalHash)
          .text("initiator_type", trajectory -> trajectory.initiator.type().name())
          .text("initiator_id", trajectory -> trajectory.initiator.id())
          .text("parent", trajectory -> Columns.text(trajectory.parent))
          .text("subject", trajectory -> Columns.text(trajectory.labels.subject()))
          .text("external_id", trajectory -> Columns.text(trajectory.labels.externalId()))
          .instant("created_at", Trajectory::createdAt)
          .instant("updated_at", Trajectory::updatedAt)
          .index("status", "updated_at")
          .index("parent")
          .index("initiator_type", "initiator_id")
          .index("subject", "created_at")
          .index("external_id", "created_at")
          .view(
              "debug_trajectories",
              """
              SELECT space, "key" AS id, status, goal_hash, created_at, updated_at,
              (SELECT count(*) FROM scope s
              WHERE s.space = t.space AND s.trajectory = t."key") AS scope_count,
              (SELECT count(*) FROM artifact a
              WHERE a.space = t.space AND a.trajectory = t."key") AS artifact_count
              FROM trajectory t ORDER BY created_at DESC""");

  public Trajectory {
    Texts.requireFilled("goal", goal);
    tags = List.copyOf(tags);
    tags.forEach(tag -> Texts.requireFilled("tag", tag));
    if (group.orElse(false) && labels.subject().isPresent()) {
      throw MemoryException.invalid(
          "group", "a trajectory without a subject", "one with a subject");
    }
  }

  /** Whether turns of several subjects may be in it. */
  public boolean isGroup() {
    return group.orElse(false);
  }

  /** Refuses a subject that is not the trajectory's own. */
  public void requireSubject(Optional<String> subject) {
    Optional<String> owner = labels.subject();
    subject
        .filter(name -> owner.filter(own -> !own.equals(name)).isPresent())
        .ifPresent(
            name -> {
              throw MemoryException.otherSubject(this, name);
            });
  }

  Trajectory touched(Instant now) {
    return with(status, counters, summary, outcome, now.isAfter(updatedAt) ? now : updatedAt);
  }

  /** With what its newest turn knows. */
  public Trajectory said(Turn newest) {
    Instant later = newest.createdAt().isAfter(updatedAt) ? newest.createdAt() : updatedAt;
    return with(status, counters.or(newest.total()), summary, outcome, later);
  }

  Trajectory counted(Counters total) {
    return with(status, counters.or(total), summary, outcome, updatedAt);
  }

  Trajectory moved(TrajectoryStatus.Event event, Optional<Outcome> ended, Instant now) {
    return with(status.after(event), counters, summary, ended.or(() -> outcome), now);
  }

  Trajectory summarized(Summary made, Instant now) {
    return with(status, counters, Optional.of(made), outcome, now);
  }

  /** The same as it is told by another summary, or by none. */
  public Trajectory told(Optional<Summary> other) {
    return with(status, counters, other, outcome, updatedAt);
  }

  Trajectory outcomeReworded(String words, Instant now) {
    return with(status, counters, summary, outcome.map(told -> told.reworded(words)), now);
  }

  Trajectory ofSubject(String subject) {
    return new Trajectory(
        id,
        goal,
        goalHash,
        status,
        initiator,
        tags,
        parent,
        counters,
        summary,
        outcome,
        labels.withSubject(subject),
        createdAt,
        updatedAt,
        group);
  }

  private Trajectory with(
      TrajectoryStatus newStatus,
      Counters newCounters,
      Optional<Summary> newSummary,
      Optional<Outcome> newOutcome,
      Instant now) {
    return new Trajectory(
        id,
        goal,
        goalHash,
        newStatus,
        initiator,
        tags,
        parent,
        newCounters,
        newSummary,
        newOutcome,
        labels,
        createdAt,
        now,
        group);
  }
}
