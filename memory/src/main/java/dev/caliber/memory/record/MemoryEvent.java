package dev.caliber.memory.record;

import dev.caliber.kernel.Id;
import dev.caliber.memory.spi.Summary;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Event that a command handler has decided on. {@link MemoryEventApplier} alone turns events into
 * changes, so that the events applied to the state before give the state after.
 */
public sealed interface MemoryEvent {

  /** Start of a trajectory. */
  record TrajectoryStarted(Trajectory trajectory) implements MemoryEvent {}

  /** Change of a trajectory's status. */
  record TrajectoryStatusChanged(
      Id trajectory,
      TrajectoryStatus.TrajectoryTransition event,
      Optional<TrajectoryOutcome> outcome,
      Instant at)
      implements MemoryEvent {}

  /**
   * New summary of a trajectory.
   *
   * @param kept id under which the old summary is stored; empty to drop it
   */
  record TrajectorySummarized(Id trajectory, Summary summary, Optional<Id> kept, Instant at)
      implements MemoryEvent {}

  /** Start of a scope. */
  record ScopeOpened(Scope scope) implements MemoryEvent {}

  /** End of a scope. */
  record ScopeClosed(Id trajectory, Id scope, int endTurn, int turns, Instant at)
      implements MemoryEvent {}

  /**
   * New summary of a scope.
   *
   * @param kept id under which the old summary of a closed scope is stored; empty to drop it
   */
  record ScopeSummarized(Id trajectory, Id scope, Summary summary, Optional<Id> kept, Instant at)
      implements MemoryEvent {}

  /** Removal of past summaries of a scope or trajectory. */
  record PastSummariesRemoved(EntityRef about, List<Id> past) implements MemoryEvent {}

  /** Artifacts extracted from a scope. */
  record ScopeArtifactsExtracted(Id trajectory, Id scope, List<Id> artifacts)
      implements MemoryEvent {}

  /** New turn. */
  record TurnAppended(Turn turn) implements MemoryEvent {}

  /** Open tool call that a fork inherits. */
  record ToolCallInherited(ToolExchange exchange) implements MemoryEvent {}

  /** Number of scopes, saved before the last scope is removed. */
  record ScopeCountRecorded(Id trajectory, int scopes) implements MemoryEvent {}

  /** Totals of turns, saved before the last turn is removed. */
  record TurnCountRecorded(Id trajectory, Id scope, TurnTotals total, int turns)
      implements MemoryEvent {}

  /** Archiving of a turn: it leaves the live set, and a summary replaces it. */
  record TurnArchived(Turn turn, Instant at) implements MemoryEvent {}

  /** Rollback of a turn: it leaves the live set. */
  record TurnRolledBack(Turn turn, Instant at) implements MemoryEvent {}

  /** Rollback of a scope that was opened after the checkpoint. */
  record ScopeRolledBack(Id trajectory, Id scope, Instant at) implements MemoryEvent {}

  /** Return of a trajectory to a checkpoint. */
  record CheckpointRecovered(Id trajectory, Id checkpoint, Instant at) implements MemoryEvent {}

  /** New artifact. */
  record ArtifactCreated(Artifact artifact) implements MemoryEvent {}

  /** Repeated creation of an artifact with the same content. */
  record ArtifactSeenAgain(
      Id trajectory, Id artifact, Provenance again, Ttl wanted, Labels labels, Instant at)
      implements MemoryEvent {}

  /** Replacement of an artifact by its successor. */
  record ArtifactSuperseded(Id trajectory, Id artifact, Id successor, Instant at)
      implements MemoryEvent {}

  /** End of an artifact's lifetime. */
  record ArtifactExpired(Id trajectory, Id artifact, Instant at) implements MemoryEvent {}

  /** Rollback of an artifact that was made after the checkpoint. */
  record ArtifactRolledBack(Id trajectory, Id artifact, Instant at) implements MemoryEvent {}

  /** Artifact that is live again, because its successor or the end of its scope was rolled back. */
  record ArtifactRestored(Id trajectory, Id artifact, Instant at) implements MemoryEvent {}

  /** New note. */
  record NoteWritten(Note note) implements MemoryEvent {}

  /** Merge into a note: other words, more certainty or more labels. */
  record NoteMerged(
      Id note, String content, double confidence, List<Id> sources, Labels labels, Instant at)
      implements MemoryEvent {}

  /** End of the time in which a note is valid. */
  record NoteValidityEnded(Id note, Instant end, Instant at) implements MemoryEvent {}

  /** Retirement of a note. */
  record NoteRetired(Id note, Optional<Id> successor, Instant at) implements MemoryEvent {}

  /** Existing note that becomes the successor of another one. */
  record NoteBecameSuccessor(Id note, Id old, Instant at) implements MemoryEvent {}

  /** Conflict between two notes that cannot both be true. */
  record NoteConflictFound(Id one, Id other) implements MemoryEvent {}

  /** New checkpoint. */
  record CheckpointSaved(Checkpoint checkpoint) implements MemoryEvent {}

  /** Rewritten summary of a trajectory's outcome. */
  record OutcomeReworded(Id trajectory, String summary, Instant at) implements MemoryEvent {}

  /** Removal of forgotten sources of an artifact. */
  record ArtifactSourcesRemoved(Id trajectory, Id artifact, List<Id> sources, Instant at)
      implements MemoryEvent {}

  /**
   * Rewritten note without text that quotes forgotten records; versions that quote it are deleted.
   */
  record NoteReworded(
      Id note, String content, List<Integer> versions, List<Id> sources, Labels labels)
      implements MemoryEvent {}

  /** Subject of a trajectory and of its records that had none. */
  record SubjectAssigned(
      Id trajectory,
      String subject,
      List<Id> scopes,
      List<Id> turns,
      List<Id> artifacts,
      List<Id> notes)
      implements MemoryEvent {
    /** Returns whether there are records beside the trajectory. */
    public boolean hasRecords() {
      return Stream.of(scopes, turns, artifacts, notes).anyMatch(ids -> !ids.isEmpty());
    }
  }

  /** Promotion of a note or an artifact to the whole space. */
  record RecordPromoted(EntityRef record) implements MemoryEvent {}

  /** Removal of a record by age or rule. */
  record RecordRemoved(EntityRef record) implements MemoryEvent {}

  /** Removal of a record by a forget command. */
  record RecordForgotten(EntityRef record, String reason, Instant at) implements MemoryEvent {}
}
