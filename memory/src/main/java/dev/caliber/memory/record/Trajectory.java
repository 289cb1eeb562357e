package dev.caliber.memory.record;

import dev.caliber.kernel.Id;
import dev.caliber.memory.spi.Summary;
import dev.caliber.store.Table;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Task of an agent or a session. Children refer to their parent.
 *
 * @param goalHash SHA-256 of the goal in UTF-8
 * @param counters totals of turns; the stored record has those of removed turns, and {@link
 *     dev.caliber.memory.MemoryView} adds those of the newest turn
 * @param group true if it may have turns of several subjects; it then belongs to none of them
 * @param updatedAt time of the last write to it or to its records; {@link MemoryView} adds the
 *     newest turn
 */
public record Trajectory(
    Id id,
    String goal,
    String goalHash,
    TrajectoryStatus status,
    EntityRef initiator,
    List<String> tags,
    Optional<Id> parent,
    TurnTotals counters,
    Optional<Summary> summary,
    Optional<TrajectoryOutcome> outcome,
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
          .text("parent", trajectory -> NullableColumns.textOrNull(trajectory.parent))
          .text("subject", trajectory -> NullableColumns.textOrNull(trajectory.labels.subject()))
          .text(
              "external_id",
              trajectory -> NullableColumns.textOrNull(trajectory.labels.externalId()))
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
    TextChecks.requireNotBlank("goal", goal);
    tags = List.copyOf(tags);
    tags.forEach(tag -> TextChecks.requireNotBlank("tag", tag));
    if (group.orElse(false) && labels.subject().isPresent()) {
      throw MemoryException.invalid(
          "group", "a trajectory without a subject", "one with a subject");
    }
  }

  /** Returns whether it may have turns of several subjects. */
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
              throw MemoryException.subjectMismatch(this, name);
            });
  }

  public Trajectory withUpdatedAt(Instant now) {
    return with(status, counters, summary, outcome, now.isAfter(updatedAt) ? now : updatedAt);
  }

  /** Returns this trajectory with the totals and the time of its newest turn. */
  public Trajectory withNewestTurn(Turn newest) {
    Instant later = newest.createdAt().isAfter(updatedAt) ? newest.createdAt() : updatedAt;
    return with(status, counters.laterOf(newest.total()), summary, outcome, later);
  }

  public Trajectory withTotals(TurnTotals total) {
    return with(status, counters.laterOf(total), summary, outcome, updatedAt);
  }

  public Trajectory withStatusAfter(
      TrajectoryStatus.TrajectoryTransition trajectoryTransition,
      Optional<TrajectoryOutcome> ended,
      Instant now) {
    return with(status.next(trajectoryTransition), counters, summary, ended.or(() -> outcome), now);
  }

  public Trajectory summarized(Summary made, Instant now) {
    return with(status, counters, Optional.of(made), outcome, now);
  }

  /** Returns this trajectory with another summary, or with none. */
  public Trajectory withSummary(Optional<Summary> other) {
    return with(status, counters, other, outcome, updatedAt);
  }

  public Trajectory withOutcomeSummary(String words, Instant now) {
    return with(status, counters, summary, outcome.map(ended -> ended.withSummary(words)), now);
  }

  public Trajectory withSubject(String subject) {
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
      TurnTotals newCounters,
      Optional<Summary> newSummary,
      Optional<TrajectoryOutcome> newOutcome,
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
