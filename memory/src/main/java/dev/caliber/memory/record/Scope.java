package dev.caliber.memory.record;

import dev.caliber.kernel.Id;
import dev.caliber.memory.spi.Summary;
import dev.caliber.store.Table;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One context partition of a trajectory. Several may be open; the current one is the open one with
 * the highest sequence.
 *
 * @param startTurn the position that the trajectory's next turn had when the scope was opened
 * @param endTurn the position after its last turn, once it is closed
 * @param turns how many turns it had when it was closed; of an open one, what is known of turns
 *     that are gone
 * @param rolledBackAt since when a return to an earlier checkpoint has taken it out
 * @param continues what stands before its own turns, if it goes on from a checkpoint
 * @param subject whose its trajectory is, so that its summary is found by no other
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
    Optional<Continuation> continues,
    Optional<String> subject) {

  public static final Table<Scope> TABLE =
      Table.of("scope", "Context partitions of trajectories.", Scope.class, Scope::id)
          .text("trajectory", scope -> scope.trajectory.toString())
          .integer("sequence", Scope::sequence)
          .instant("opened_at", Scope::openedAt)
          .instant("closed_at", scope -> Columns.instant(scope.closedAt))
          .integer("open_sequence", scope -> scope.isOpen() ? scope.sequence : null)
          .instant("open_since", scope -> scope.isOpen() ? scope.openedAt : null)
          .text("branch_of", Scope::branchOf)
          .unique("trajectory", "sequence")
          .index("trajectory", "open_sequence")
          .index("trajectory", "closed_at")
          .index("open_since")
          .index("branch_of");

  public Scope {
    artifacts = List.copyOf(artifacts);
  }

  /** The trajectory that it goes on from, or that a return has taken it out of. */
  private @Nullable String branchOf() {
    return Columns.text(
        continues.map(Continuation::trajectory).or(() -> rolledBackAt.map(_ -> trajectory)));
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

  public Scope continuing(Optional<Continuation> from) {
    return out(rolledBackAt, from);
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

  /** Whether its summary is the last word on it. */
  public boolean isSummarized() {
    return !isOpen() && summary.isPresent();
  }

  Scope counted(int least) {
    return with(endTurn, closedAt, summary, artifacts, checkpoint, Math.max(turns, least));
  }

  Scope closed(int lastTurn, int count, Instant now) {
    ScopeStatus.LIFE.next("Scope", status(), ScopeStatus.Event.CLOSE);
    return with(Optional.of(lastTurn), Optional.of(now), summary, artifacts, checkpoint, count);
  }

  Scope summarized(Summary made) {
    return told(Optional.of(made));
  }

  /** The same as it is told by another summary, or by none. */
  public Scope told(Optional<Summary> other) {
    return with(endTurn, closedAt, other, artifacts, checkpoint, turns);
  }

  Scope yielded(List<Id> found) {
    return with(endTurn, closedAt, summary, Lists.union(artifacts, found), checkpoint, turns);
  }

  Scope checkpointed(Id made) {
    return with(endTurn, closedAt, summary, artifacts, Optional.of(made), turns);
  }

  /** Without a point that nobody can return to any more. */
  Scope withoutCheckpoint(Id gone) {
    Optional<Id> left = checkpoint.filter(made -> !made.equals(gone));
    return with(endTurn, closedAt, summary, artifacts, left, turns);
  }

  /** Without something that was forgotten. */
  Scope without(Id artifact) {
    return with(endTurn, closedAt, summary, Lists.without(artifacts, artifact), checkpoint, turns);
  }

  Scope ofSubject(String owner) {
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
        rolledBackAt,
        continues,
        Optional.of(owner));
  }

  Scope rolledBack(Instant now) {
    return out(Optional.of(now), continues);
  }

  private Scope out(Optional<Instant> since, Optional<Continuation> from) {
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
        subject);
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
