package dev.caliber.memory.event;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Checkpoint;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Provenance;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.ToolExchange;
import dev.caliber.memory.record.TracedRecord;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.TrajectoryOutcome;
import dev.caliber.memory.record.TrajectoryStatus;
import dev.caliber.memory.record.Ttl;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.record.TurnTotals;
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

  /**
   * Returns the name of the event in traces and on notification channels: the name of its type in
   * snake case, such as {@code turn_appended}.
   */
  default String traceName() {
    return TracedRecord.NAMES.get(getClass());
  }

  /** Returns the record that the event is about, as a trace names it. */
  TracedRecord tracedRecord();

  /** Event of a trajectory as a whole. */
  sealed interface TrajectoryEvent extends MemoryEvent {
    Id trajectory();

    @Override
    default TracedRecord tracedRecord() {
      return TracedRecord.ofTrajectory(trajectory());
    }
  }

  /** Event of a scope. */
  sealed interface ScopeEvent extends MemoryEvent {
    Id trajectory();

    Id scope();

    @Override
    default TracedRecord tracedRecord() {
      return TracedRecord.ofScope(trajectory(), scope());
    }
  }

  /** Event of a turn. */
  sealed interface TurnEvent extends MemoryEvent {
    Turn turn();

    @Override
    default TracedRecord tracedRecord() {
      return new TracedRecord(
          EntityRef.of(EntityType.TURN, turn().id()),
          Optional.of(turn().trajectory()),
          Optional.of(turn().scope()));
    }
  }

  /** Event of an existing artifact. */
  sealed interface ArtifactEvent extends MemoryEvent {
    Id trajectory();

    Id artifact();

    Instant at();

    @Override
    default TracedRecord tracedRecord() {
      return TracedRecord.ofArtifact(trajectory(), artifact());
    }
  }

  /** Event of an existing note. */
  sealed interface NoteEvent extends MemoryEvent {
    Id note();

    @Override
    default TracedRecord tracedRecord() {
      return TracedRecord.of(EntityRef.of(EntityType.NOTE, note()));
    }
  }

  /** Event of a record of any type. */
  sealed interface RecordEvent extends MemoryEvent {
    EntityRef record();

    @Override
    default TracedRecord tracedRecord() {
      return TracedRecord.of(record());
    }
  }

  /** Start of a trajectory. */
  record TrajectoryStarted(Trajectory trajectory) implements MemoryEvent {
    @Override
    public TracedRecord tracedRecord() {
      return TracedRecord.ofTrajectory(trajectory.id());
    }
  }

  /** Change of a trajectory's status. */
  record TrajectoryStatusChanged(
      Id trajectory,
      TrajectoryStatus.TrajectoryTransition event,
      Optional<TrajectoryOutcome> outcome,
      Instant at)
      implements TrajectoryEvent {
    @Override
    public String traceName() {
      return switch (event) {
        case SUSPEND -> "trajectory_suspended";
        case RESUME -> "trajectory_resumed";
        case COMPLETE -> "trajectory_completed";
        case FAIL -> "trajectory_failed";
      };
    }
  }

  /**
   * New summary of a trajectory.
   *
   * @param kept id under which the old summary is stored; empty to drop it
   */
  record TrajectorySummarized(Id trajectory, Summary summary, Optional<Id> kept, Instant at)
      implements TrajectoryEvent {}

  /** Start of a scope. */
  record ScopeOpened(Scope scope) implements MemoryEvent {
    @Override
    public TracedRecord tracedRecord() {
      return TracedRecord.ofScope(scope.trajectory(), scope.id());
    }
  }

  /** End of a scope. */
  record ScopeClosed(Id trajectory, Id scope, int endTurn, int turns, Instant at)
      implements ScopeEvent {}

  /**
   * New summary of a scope.
   *
   * @param kept id under which the old summary of a closed scope is stored; empty to drop it
   */
  record ScopeSummarized(Id trajectory, Id scope, Summary summary, Optional<Id> kept, Instant at)
      implements ScopeEvent {}

  /** Removal of past summaries of a scope or trajectory. */
  record PastSummariesRemoved(EntityRef record, List<Id> past) implements RecordEvent {}

  /** Artifacts extracted from a scope. */
  record ScopeArtifactsExtracted(Id trajectory, Id scope, List<Id> artifacts)
      implements ScopeEvent {}

  /** New turn. */
  record TurnAppended(Turn turn) implements TurnEvent {}

  /** Open tool call that a fork inherits. */
  record ToolCallInherited(ToolExchange exchange) implements MemoryEvent {
    @Override
    public TracedRecord tracedRecord() {
      return TracedRecord.ofTrajectory(exchange.trajectory());
    }
  }

  /** Number of scopes, saved before the last scope is removed. */
  record ScopeCountSaved(Id trajectory, int scopes) implements TrajectoryEvent {}

  /** Totals of turns, saved before the last turn is removed. */
  record TurnCountSaved(Id trajectory, Id scope, TurnTotals total, int turns)
      implements ScopeEvent {}

  /** Archiving of a turn: it leaves the live set, and a summary replaces it. */
  record TurnArchived(Turn turn, Instant at) implements TurnEvent {}

  /** Rollback of a turn: it leaves the live set. */
  record TurnRolledBack(Turn turn, Instant at) implements TurnEvent {}

  /** Rollback of a scope that was opened after the checkpoint. */
  record ScopeRolledBack(Id trajectory, Id scope, Instant at) implements ScopeEvent {}

  /** Return of a trajectory to a checkpoint. */
  record CheckpointRecovered(Id trajectory, Id checkpoint, Instant at) implements MemoryEvent {
    @Override
    public TracedRecord tracedRecord() {
      return new TracedRecord(
          EntityRef.of(EntityType.CHECKPOINT, checkpoint),
          Optional.of(trajectory),
          Optional.empty());
    }
  }

  /** New artifact. */
  record ArtifactCreated(Artifact artifact) implements MemoryEvent {
    @Override
    public TracedRecord tracedRecord() {
      return TracedRecord.ofArtifact(artifact.trajectory(), artifact.id());
    }
  }

  /** Repeated creation of an artifact with the same content. */
  record ArtifactDeduplicated(
      Id trajectory, Id artifact, Provenance again, Ttl wanted, Labels labels, Instant at)
      implements ArtifactEvent {}

  /** Replacement of an artifact by its successor. */
  record ArtifactSuperseded(Id trajectory, Id artifact, Id successor, Instant at)
      implements ArtifactEvent {}

  /** End of an artifact's lifetime. */
  record ArtifactExpired(Id trajectory, Id artifact, Instant at) implements ArtifactEvent {}

  /** Rollback of an artifact that was made after the checkpoint. */
  record ArtifactRolledBack(Id trajectory, Id artifact, Instant at) implements ArtifactEvent {}

  /** Artifact that is live again, because its successor or the end of its scope was rolled back. */
  record ArtifactRestored(Id trajectory, Id artifact, Instant at) implements ArtifactEvent {}

  /** New note. */
  record NoteWritten(Note note) implements MemoryEvent {
    @Override
    public TracedRecord tracedRecord() {
      return new TracedRecord(
          EntityRef.of(EntityType.NOTE, note.id()),
          note.sources().stream().findFirst(),
          Optional.empty());
    }
  }

  /** Merge into a note: other words, more certainty or more labels. */
  record NoteMerged(
      Id note, String content, double confidence, List<Id> sources, Labels labels, Instant at)
      implements NoteEvent {}

  /** End of the time in which a note is valid. */
  record NoteEnded(Id note, Instant end, Instant at) implements NoteEvent {}

  /** Retirement of a note. */
  record NoteRetired(Id note, Optional<Id> successor, Instant at) implements NoteEvent {}

  /** Existing note that becomes the successor of another one. */
  record NoteSupersessionRecorded(Id note, Id old, Instant at) implements NoteEvent {}

  /** Conflict between two notes that cannot both be true. */
  record NoteConflictFound(Id note, Id other) implements NoteEvent {
    @Override
    public String traceName() {
      return "notes_contradict";
    }
  }

  /** New checkpoint. */
  record CheckpointSaved(Checkpoint checkpoint) implements MemoryEvent {
    @Override
    public TracedRecord tracedRecord() {
      return new TracedRecord(
          EntityRef.of(EntityType.CHECKPOINT, checkpoint.id()),
          Optional.of(checkpoint.trajectory()),
          checkpoint.scope());
    }
  }

  /** Rewritten summary of a trajectory's outcome. */
  record OutcomeRewritten(Id trajectory, String summary, Instant at) implements TrajectoryEvent {}

  /** Removal of forgotten sources of an artifact. */
  record ArtifactSourcesRemoved(Id trajectory, Id artifact, List<Id> sources, Instant at)
      implements ArtifactEvent {}

  /**
   * Rewritten note without text that quotes forgotten records; versions that quote it are deleted.
   */
  record NoteRewritten(
      Id note, String content, List<Integer> versions, List<Id> sources, Labels labels)
      implements NoteEvent {}

  /** Subject of a trajectory and of its records that had none. */
  record SubjectAssigned(
      Id trajectory,
      String subject,
      List<Id> scopes,
      List<Id> turns,
      List<Id> artifacts,
      List<Id> notes)
      implements TrajectoryEvent {
    /** Returns whether there are records beside the trajectory. */
    public boolean hasRecords() {
      return Stream.of(scopes, turns, artifacts, notes).anyMatch(ids -> !ids.isEmpty());
    }
  }

  /** Promotion of a note or an artifact to the whole space. */
  record RecordPromoted(EntityRef record) implements RecordEvent {}

  /** Removal of a record by age or rule. */
  record RecordRemoved(EntityRef record) implements RecordEvent {}

  /** Removal of a record by a forget command. */
  record RecordForgotten(EntityRef record, String reason, Instant at) implements RecordEvent {}
}
