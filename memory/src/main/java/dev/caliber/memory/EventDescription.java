package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.MemoryEvent;
import dev.caliber.memory.record.MemoryEvent.ArtifactCreated;
import dev.caliber.memory.record.MemoryEvent.ArtifactExpired;
import dev.caliber.memory.record.MemoryEvent.ArtifactRestored;
import dev.caliber.memory.record.MemoryEvent.ArtifactRolledBack;
import dev.caliber.memory.record.MemoryEvent.ArtifactSeenAgain;
import dev.caliber.memory.record.MemoryEvent.ArtifactSourcesRemoved;
import dev.caliber.memory.record.MemoryEvent.ArtifactSuperseded;
import dev.caliber.memory.record.MemoryEvent.CheckpointRecovered;
import dev.caliber.memory.record.MemoryEvent.CheckpointSaved;
import dev.caliber.memory.record.MemoryEvent.NoteBecameSuccessor;
import dev.caliber.memory.record.MemoryEvent.NoteConflictFound;
import dev.caliber.memory.record.MemoryEvent.NoteMerged;
import dev.caliber.memory.record.MemoryEvent.NoteRetired;
import dev.caliber.memory.record.MemoryEvent.NoteReworded;
import dev.caliber.memory.record.MemoryEvent.NoteValidityEnded;
import dev.caliber.memory.record.MemoryEvent.NoteWritten;
import dev.caliber.memory.record.MemoryEvent.OutcomeReworded;
import dev.caliber.memory.record.MemoryEvent.PastSummariesRemoved;
import dev.caliber.memory.record.MemoryEvent.RecordForgotten;
import dev.caliber.memory.record.MemoryEvent.RecordPromoted;
import dev.caliber.memory.record.MemoryEvent.RecordRemoved;
import dev.caliber.memory.record.MemoryEvent.ScopeArtifactsExtracted;
import dev.caliber.memory.record.MemoryEvent.ScopeClosed;
import dev.caliber.memory.record.MemoryEvent.ScopeCountRecorded;
import dev.caliber.memory.record.MemoryEvent.ScopeOpened;
import dev.caliber.memory.record.MemoryEvent.ScopeRolledBack;
import dev.caliber.memory.record.MemoryEvent.ScopeSummarized;
import dev.caliber.memory.record.MemoryEvent.SubjectAssigned;
import dev.caliber.memory.record.MemoryEvent.ToolCallInherited;
import dev.caliber.memory.record.MemoryEvent.TrajectoryStarted;
import dev.caliber.memory.record.MemoryEvent.TrajectoryStatusChanged;
import dev.caliber.memory.record.MemoryEvent.TrajectorySummarized;
import dev.caliber.memory.record.MemoryEvent.TurnAppended;
import dev.caliber.memory.record.MemoryEvent.TurnArchived;
import dev.caliber.memory.record.MemoryEvent.TurnCountRecorded;
import dev.caliber.memory.record.MemoryEvent.TurnRolledBack;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.TraceEvent;
import dev.caliber.memory.record.TrajectoryStatus;
import dev.caliber.memory.record.Turn;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * Trace entry of an event: its name and the record it is about.
 *
 * @param name as traces and notification channels show it
 */
record EventDescription(
    String name, EntityRef record, Optional<Id> trajectory, Optional<Id> scope) {

  /** Events that are published on notification channels. */
  private static final Set<String> SPOKEN =
      Set.of(
          "trajectory_started",
          "trajectory_completed",
          "trajectory_failed",
          "trajectory_suspended",
          "trajectory_resumed",
          "scope_opened",
          "scope_closed",
          "artifact_created");

  private static final Set<String> TIMED = Set.of("checkpoint_saved", "checkpoint_recovered");

  static EventDescription of(MemoryEvent event) {
    return switch (event) {
      case TrajectoryStarted(var trajectory) -> task("trajectory_started", trajectory.id());
      case TrajectoryStatusChanged(var id, var move, _, _) -> task(name(move), id);
      case TrajectorySummarized(var id, _, _, _) -> task("trajectory_summarized", id);
      case ScopeOpened(var scope) -> scope("scope_opened", scope.trajectory(), scope.id());
      case ScopeClosed(var trajectory, var id, _, _, _) -> scope("scope_closed", trajectory, id);
      case ScopeSummarized(var trajectory, var id, _, _, _) ->
          scope("scope_summarized", trajectory, id);
      case PastSummariesRemoved(var about, _) -> about("past_summaries_removed", about);
      case ScopeArtifactsExtracted(var trajectory, var id, _) ->
          scope("scope_artifacts_extracted", trajectory, id);
      case TurnAppended(var turn) -> turn("turn_appended", turn);
      case ToolCallInherited(var exchange) -> task("tool_call_inherited", exchange.trajectory());
      case ScopeCountRecorded(var trajectory, _) -> task("scope_count_saved", trajectory);
      case TurnCountRecorded(var trajectory, var id, _, _) ->
          scope("turn_count_saved", trajectory, id);
      case TurnArchived(var turn, _) -> turn("turn_archived", turn);
      case TurnRolledBack(var turn, _) -> turn("turn_rolled_back", turn);
      case ScopeRolledBack(var trajectory, var id, _) -> scope("scope_rolled_back", trajectory, id);
      case ArtifactRolledBack(var trajectory, var id, _) ->
          artifact("artifact_rolled_back", trajectory, id);
      case ArtifactRestored(var trajectory, var id, _) ->
          artifact("artifact_restored", trajectory, id);
      case ArtifactCreated(var made) -> artifact("artifact_created", made.trajectory(), made.id());
      case ArtifactSeenAgain(var trajectory, var id, _, _, _, _) ->
          artifact("artifact_deduplicated", trajectory, id);
      case ArtifactSuperseded(var trajectory, var id, _, _) ->
          artifact("artifact_superseded", trajectory, id);
      case ArtifactExpired(var trajectory, var id, _) ->
          artifact("artifact_expired", trajectory, id);
      case NoteWritten(var note) -> written(note);
      case NoteMerged(var id, _, _, _, _, _) -> note("note_merged", id);
      case NoteValidityEnded(var id, _, _) -> note("note_ended", id);
      case NoteRetired(var id, _, _) -> note("note_retired", id);
      case NoteBecameSuccessor(var id, _, _) -> note("note_supersession_recorded", id);
      case NoteConflictFound(var one, _) -> note("notes_contradict", one);
      case CheckpointSaved(var made) ->
          new EventDescription(
              "checkpoint_saved",
              EntityRef.of(EntityType.CHECKPOINT, made.id()),
              Optional.of(made.trajectory()),
              made.scope());
      case CheckpointRecovered(var trajectory, var id, _) ->
          new EventDescription(
              "checkpoint_recovered",
              EntityRef.of(EntityType.CHECKPOINT, id),
              Optional.of(trajectory),
              Optional.empty());
      case OutcomeReworded(var id, _, _) -> task("outcome_rewritten", id);
      case ArtifactSourcesRemoved(var trajectory, var id, _, _) ->
          artifact("artifact_sources_removed", trajectory, id);
      case NoteReworded(var id, _, _, _, _) -> note("note_rewritten", id);
      case SubjectAssigned assigned -> task("subject_assigned", assigned.trajectory());
      case RecordPromoted(var record) -> about("record_promoted", record);
      case RecordRemoved(var gone) -> about("record_removed", gone);
      case RecordForgotten(var gone, _, _) -> about("record_forgotten", gone);
    };
  }

  private static EventDescription about(String name, EntityRef record) {
    return new EventDescription(name, record, Optional.empty(), Optional.empty());
  }

  /** Returns whether the trace contains the duration since the unit of work began. */
  boolean isTimed() {
    return TIMED.contains(name);
  }

  boolean isPublished() {
    return SPOKEN.contains(name);
  }

  TraceEvent toTraceEvent(Id id, Instant now) {
    return new TraceEvent(
        id, trajectory, scope, name, record, Optional.empty(), now, Optional.empty());
  }

  private static String name(TrajectoryStatus.TrajectoryTransition move) {
    return switch (move) {
      case SUSPEND -> "trajectory_suspended";
      case RESUME -> "trajectory_resumed";
      case COMPLETE -> "trajectory_completed";
      case FAIL -> "trajectory_failed";
    };
  }

  private static EventDescription task(String name, Id id) {
    return new EventDescription(
        name, EntityRef.of(EntityType.TRAJECTORY, id), Optional.of(id), Optional.empty());
  }

  private static EventDescription scope(String name, Id trajectory, Id id) {
    return new EventDescription(
        name, EntityRef.of(EntityType.SCOPE, id), Optional.of(trajectory), Optional.of(id));
  }

  private static EventDescription turn(String name, Turn turn) {
    return new EventDescription(
        name,
        EntityRef.of(EntityType.TURN, turn.id()),
        Optional.of(turn.trajectory()),
        Optional.of(turn.scope()));
  }

  private static EventDescription artifact(String name, Id trajectory, Id id) {
    return new EventDescription(
        name, EntityRef.of(EntityType.ARTIFACT, id), Optional.of(trajectory), Optional.empty());
  }

  private static EventDescription written(Note note) {
    return new EventDescription(
        "note_written",
        EntityRef.of(EntityType.NOTE, note.id()),
        note.sources().stream().findFirst(),
        Optional.empty());
  }

  private static EventDescription note(String name, Id id) {
    return new EventDescription(
        name, EntityRef.of(EntityType.NOTE, id), Optional.empty(), Optional.empty());
  }
}
