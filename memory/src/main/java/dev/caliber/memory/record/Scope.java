package dev.caliber.memory.record;

import dev.caliber.kernel.Id;
import dev.caliber.memory.spi.Summary;
import dev.caliber.store.Table;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Context partition of a trajectory. Several may be open; the current one is the open one with the
 * highest sequence.
 *
 * @param startTurn the position that the trajectory's next turn had when the scope was opened
 * @param endTurn the position after its last turn, once it is closed
 * @param turns number of turns when it was closed; of an open one, the number known from removed
 *     turns
 * @param rolledBackAt when a return to an earlier checkpoint rolled it back
 * @param continues the conversation before its own turns, if it continues from a checkpoint
 * @param subject subject of its trajectory, so that a search of another subject does not find its
 *     summary
 */
public record Scope(
    Id id,
    Id trajectory,
    int sequence,
    int startTurn,
    Optional<Integer> endTurn,
    Instant openedAt,
    Optional<Instant> closedAt,
    Optional<Summary> summary,
    List<Id> artifacts,
    Optional<Id> checkpoint,
    int turns,
    Optional<Instant> rolledBackAt,
    Optional<ContinuationPoint> continues,
    Optional<String> subject) {

  public static final Table<Scope> TABLE =
      Table.of("scope", "Context partitions of trajectories.", Scope.class, Scope::id)
          .text("trajectory", scope -> scope.trajectory.toString())
          .integer("sequence", Scope::sequence)
          .instant("opened_at", Scope::openedAt)
          .instant("closed_at", scope -> NullableColumns.instantOrNull(scope.closedAt))
          .integer("open_sequence", scope -> scope.isOpen() ? scope.sequence : null)
          .instant("open_since", scope -> scope.isOpen() ? scope.openedAt : null)
          .text("branch_of", Scope::branchTrajectory)
          .unique("trajectory", "sequence")
          .index("trajectory", "open_sequence")
          .index("trajectory", "closed_at")
          .index("open_since")
          .index("branch_of");

  public Scope {
    artifacts = List.copyOf(artifacts);
  }

  /** Column value: the trajectory that it continues, or its own if it was rolled back. */
  private @Nullable String branchTrajectory() {
    return NullableColumns.textOrNull(
        continues.map(ContinuationPoint::trajectory).or(() -> rolledBackAt.map(_ -> trajectory)));
  }

  public static Scope opened(Id id, Trajectory trajectory, int sequence, Instant now) {
    return new Scope(
        id,
        trajectory.id(),
        sequence,
        trajectory.counters().turns(),
        Optional.empty(),
        now,
        Optional.empty(),
        Optional.empty(),
        List.of(),
        Optional.empty(),
        0,
        Optional.empty(),
        Optional.empty(),
        trajectory.labels().subject());
  }

  public Scope withContinuation(Optional<ContinuationPoint> from) {
    return withBranch(rolledBackAt, from, subject);
  }

  public boolean isOpen() {
    return closedAt.isEmpty();
  }

  public boolean wasOpen(Instant at) {
    return !openedAt.isAfter(at) && closedAt.filter(end -> !end.isAfter(at)).isEmpty();
  }

  public ScopeStatus status() {
    return isOpen() ? ScopeStatus.OPEN : ScopeStatus.CLOSED;
  }

  /** Returns whether its summary is final. */
  public boolean isSummarized() {
    return !isOpen() && summary.isPresent();
  }

  public Scope withTurnsAtLeast(int least) {
    return with(endTurn, closedAt, summary, artifacts, checkpoint, Math.max(turns, least));
  }

  public Scope closed(int lastTurn, int count, Instant now) {
    ScopeStatus.LIFE.next("Scope", status(), ScopeStatus.ScopeTransition.CLOSE);
    return with(Optional.of(lastTurn), Optional.of(now), summary, artifacts, checkpoint, count);
  }

  public Scope summarized(Summary made) {
    return withSummary(Optional.of(made));
  }

  /** Returns this scope with another summary, or with none. */
  public Scope withSummary(Optional<Summary> other) {
    return with(endTurn, closedAt, other, artifacts, checkpoint, turns);
  }

  public Scope withArtifacts(List<Id> found) {
    return with(
        endTurn, closedAt, summary, DistinctLists.union(artifacts, found), checkpoint, turns);
  }

  public Scope withCheckpoint(Id made) {
    return with(endTurn, closedAt, summary, artifacts, Optional.of(made), turns);
  }

  /** Returns this scope without a checkpoint that was removed. */
  public Scope withoutCheckpoint(Id gone) {
    Optional<Id> left = checkpoint.filter(made -> !made.equals(gone));
    return with(endTurn, closedAt, summary, artifacts, left, turns);
  }

  /** Returns this scope without an artifact that was forgotten. */
  public Scope withoutArtifact(Id artifact) {
    return with(
        endTurn, closedAt, summary, DistinctLists.without(artifacts, artifact), checkpoint, turns);
  }

  public Scope withSubject(String owner) {
    return withBranch(rolledBackAt, continues, Optional.of(owner));
  }

  public Scope asRolledBack(Instant now) {
    return withBranch(Optional.of(now), continues, subject);
  }

  private Scope withBranch(
      Optional<Instant> since, Optional<ContinuationPoint> from, Optional<String> owner) {
    return new Scope(
        id,
        trajectory,
        sequence,
        startTurn,
        endTurn,
        openedAt,
        closedAt,
        summary,
        artifacts,
        checkpoint,
        turns,
        since,
        from,
        owner);
  }

  private Scope with(
      Optional<Integer> newEnd,
      Optional<Instant> newClosed,
      Optional<Summary> newSummary,
      List<Id> newArtifacts,
      Optional<Id> newCheckpoint,
      int newTurns) {
    return new Scope(
        id,
        trajectory,
        sequence,
        startTurn,
        newEnd,
        openedAt,
        newClosed,
        newSummary,
        newArtifacts,
        newCheckpoint,
        newTurns,
        rolledBackAt,
        continues,
        subject);
  }
}
