package dev.caliber.memory.record;

import dev.caliber.kernel.Id;
import dev.caliber.memory.spi.Summary;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a decision has decided. {@link Replay} is the one place that turns an event into a change,
 * so that events applied to the state before give the state after.
 */
public sealed interface MemoryEvent {

  /** A trajectory begins. */
  record TrajectoryStarted(Trajectory trajectory) implements MemoryEvent {}

  /** A trajectory passes to another state. */
  record TrajectoryMoved(
      Id trajectory, TrajectoryStatus.Event event, Optional<Outcome> outcome, Instant at)
      implements MemoryEvent {}

  /**
   * A trajectory gets a summary.
   *
   * @param kept the id under which what was told before is kept; empty if it is not to be
   */
  record TrajectorySummarized(Id trajectory, Summary summary, Optional<Id> kept, Instant at)
      implements MemoryEvent {}

  /** A scope begins. */
  record ScopeOpened(Scope scope) implements MemoryEvent {}

  /** A scope ends. */
  record ScopeClosed(Id trajectory, Id scope, int endTurn, int turns, Instant at)
      implements MemoryEvent {}

  /**
   * A scope gets a summary.
   *
   * @param kept the id under which what was told of a closed one before is kept; empty if it is not
   *     to be
   */
  record ScopeSummarized(Id trajectory, Id scope, Summary summary, Optional<Id> kept, Instant at)
      implements MemoryEvent {}

  /** What was told of a scope or trajectory earlier goes. */
  record SummariesRemoved(EntityRef about, List<Id> past) implements MemoryEvent {}

  /** A scope has yielded artifacts. */
  record ScopeYielded(Id trajectory, Id scope, List<Id> artifacts) implements MemoryEvent {}

  /** Something was said. */
  record TurnAppended(Turn turn) implements MemoryEvent {}

  /** A fork goes on where a tool's result was still waited for. */
  record CallInherited(ToolExchange exchange) implements MemoryEvent {}

  /** The last scope is about to go; how many there were is kept. */
  record ScopesCounted(Id trajectory, int scopes) implements MemoryEvent {}

  /** The last turn is about to go; how many there were is kept. */
  record TurnsCounted(Id trajectory, Id scope, Counters total, int turns) implements MemoryEvent {}

  /** A turn leaves the live set; a summary stands for it. */
  record TurnArchived(Turn turn, Instant at) implements MemoryEvent {}

  /** A turn leaves the live set, because its trajectory returned to before it. */
  record TurnRolledBack(Turn turn, Instant at) implements MemoryEvent {}

  /** A scope was opened after the point that its trajectory returned to. */
  record ScopeRolledBack(Id trajectory, Id scope, Instant at) implements MemoryEvent {}

  /** A trajectory is back at a checkpoint. */
  record CheckpointRecovered(Id trajectory, Id checkpoint, Instant at) implements MemoryEvent {}

  /** An artifact was made. */
  record ArtifactCreated(Artifact artifact) implements MemoryEvent {}

  /** The same content came again. */
  record ArtifactSeenAgain(
      Id trajectory, Id artifact, Provenance again, Ttl wanted, Labels labels, Instant at)
      implements MemoryEvent {}

  /** Another artifact takes its place. */
  record ArtifactSuperseded(Id trajectory, Id artifact, Id successor, Instant at)
      implements MemoryEvent {}

  /** An artifact has lived. */
  record ArtifactExpired(Id trajectory, Id artifact, Instant at) implements MemoryEvent {}

  /** An artifact was made after the point that its trajectory returned to. */
  record ArtifactRolledBack(Id trajectory, Id artifact, Instant at) implements MemoryEvent {}

  /** What had taken its place, or the end of its scope, was rolled back. */
  record ArtifactRestored(Id trajectory, Id artifact, Instant at) implements MemoryEvent {}

  /** Something was learned. */
  record NoteWritten(Note note) implements MemoryEvent {}

  /** A note gets other words, more certainty or more labels. */
  record NoteMerged(
      Id note, String content, double confidence, List<Id> sources, Labels labels, Instant at)
      implements MemoryEvent {}

  /** A note holds only until a time. */
  record NoteEnded(Id note, Instant end, Instant at) implements MemoryEvent {}

  /** A note is no longer believed. */
  record NoteRetired(Id note, Optional<Id> successor, Instant at) implements MemoryEvent {}

  /** A note that was believed already takes the place of another one. */
  record NoteSucceeded(Id note, Id old, Instant at) implements MemoryEvent {}

  /** Two notes cannot both be true. */
  record NotesConflict(Id one, Id other) implements MemoryEvent {}

  /** A point to return to. */
  record CheckpointSaved(Checkpoint checkpoint) implements MemoryEvent {}

  /** A trajectory's outcome is told in other words. */
  record OutcomeReworded(Id trajectory, String summary, Instant at) implements MemoryEvent {}

  /** An artifact is left by some of the records it was made from. */
  record ArtifactBereft(Id trajectory, Id artifact, List<Id> sources, Instant at)
      implements MemoryEvent {}

  /** A note keeps only what does not quote the forgotten; the other versions never were. */
  record NoteReworded(
      Id note, String content, List<Integer> versions, List<Id> sources, Labels labels)
      implements MemoryEvent {}

  /** A trajectory, and records of it that had no subject, belong to this subject from now on. */
  record SubjectAssigned(
      Id trajectory,
      String subject,
      List<Id> scopes,
      List<Id> turns,
      List<Id> artifacts,
      List<Id> notes)
      implements MemoryEvent {
    /** Whether there are records beside the trajectory. */
    public boolean hasRecords() {
      return Stream.of(scopes, turns, artifacts, notes).anyMatch(ids -> !ids.isEmpty());
    }
  }

  /** A note or an artifact of one subject belongs to the whole space from now on. */
  record RecordPromoted(EntityRef record) implements MemoryEvent {}

  /** A record goes, by age or rule. */
  record RecordRemoved(EntityRef record) implements MemoryEvent {}

  /** A record goes because somebody wants it forgotten. */
  record RecordForgotten(EntityRef record, String reason, Instant at) implements MemoryEvent {}
}
