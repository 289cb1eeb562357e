package dev.caliber.memory.event;

import dev.caliber.kernel.Id;
import dev.caliber.memory.event.MemoryEvent.ArtifactCreated;
import dev.caliber.memory.event.MemoryEvent.ArtifactDeduplicated;
import dev.caliber.memory.event.MemoryEvent.ArtifactEvent;
import dev.caliber.memory.event.MemoryEvent.ArtifactExpired;
import dev.caliber.memory.event.MemoryEvent.ArtifactRestored;
import dev.caliber.memory.event.MemoryEvent.ArtifactRolledBack;
import dev.caliber.memory.event.MemoryEvent.ArtifactSourcesRemoved;
import dev.caliber.memory.event.MemoryEvent.ArtifactSuperseded;
import dev.caliber.memory.event.MemoryEvent.CheckpointRecovered;
import dev.caliber.memory.event.MemoryEvent.CheckpointSaved;
import dev.caliber.memory.event.MemoryEvent.NoteConflictFound;
import dev.caliber.memory.event.MemoryEvent.NoteEnded;
import dev.caliber.memory.event.MemoryEvent.NoteMerged;
import dev.caliber.memory.event.MemoryEvent.NoteRetired;
import dev.caliber.memory.event.MemoryEvent.NoteRewritten;
import dev.caliber.memory.event.MemoryEvent.NoteSupersessionRecorded;
import dev.caliber.memory.event.MemoryEvent.NoteWritten;
import dev.caliber.memory.event.MemoryEvent.OutcomeRewritten;
import dev.caliber.memory.event.MemoryEvent.PastSummariesRemoved;
import dev.caliber.memory.event.MemoryEvent.RecordForgotten;
import dev.caliber.memory.event.MemoryEvent.RecordPromoted;
import dev.caliber.memory.event.MemoryEvent.RecordRemoved;
import dev.caliber.memory.event.MemoryEvent.ScopeArtifactsExtracted;
import dev.caliber.memory.event.MemoryEvent.ScopeClosed;
import dev.caliber.memory.event.MemoryEvent.ScopeCountSaved;
import dev.caliber.memory.event.MemoryEvent.ScopeOpened;
import dev.caliber.memory.event.MemoryEvent.ScopeRolledBack;
import dev.caliber.memory.event.MemoryEvent.ScopeSummarized;
import dev.caliber.memory.event.MemoryEvent.SubjectAssigned;
import dev.caliber.memory.event.MemoryEvent.ToolCallInherited;
import dev.caliber.memory.event.MemoryEvent.TrajectoryStarted;
import dev.caliber.memory.event.MemoryEvent.TrajectoryStatusChanged;
import dev.caliber.memory.event.MemoryEvent.TrajectorySummarized;
import dev.caliber.memory.event.MemoryEvent.TurnAppended;
import dev.caliber.memory.event.MemoryEvent.TurnArchived;
import dev.caliber.memory.event.MemoryEvent.TurnCountSaved;
import dev.caliber.memory.event.MemoryEvent.TurnRolledBack;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Checkpoint;
import dev.caliber.memory.record.DistinctLists;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.PastNote;
import dev.caliber.memory.record.PastSummary;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.ScopeCount;
import dev.caliber.memory.record.Tombstone;
import dev.caliber.memory.record.ToolExchange;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.TrajectoryNoteLink;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.record.TurnPart;
import java.time.Instant;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Applies events to the state. It decides nothing. */
public final class MemoryEventApplier {
  private final MemoryState state;

  public MemoryEventApplier(MemoryState state) {
    this.state = state;
  }

  public void apply(MemoryEvent event) {
    switch (event) {
      case TrajectoryStarted(var trajectory) -> startTrajectory(trajectory);
      case TrajectoryStatusChanged(var id, var move, var outcome, var at) ->
          state.updateIfPresent(
              Trajectory.TABLE, id, old -> old.withStatusAfter(move, outcome, at));
      case TrajectorySummarized summarized -> summarize(summarized);
      case ScopeOpened(var scope) -> openScope(scope);
      case ScopeClosed(var trajectory, var id, var end, var turns, var at) ->
          changeScope(trajectory, id, at, old -> old.closed(end, turns, at));
      case ScopeSummarized(_, var id, var summary, var kept, var at) ->
          state.updateIfPresent(
              Scope.TABLE, id, old -> keepPastSummary(old, kept, at).summarized(summary));
      case PastSummariesRemoved(_, var past) ->
          past.forEach(gone -> state.remove(PastSummary.TABLE, gone));
      case ScopeArtifactsExtracted(_, var id, var artifacts) ->
          state.updateIfPresent(Scope.TABLE, id, old -> old.withArtifacts(artifacts));
      case TurnAppended(var turn) -> appendTurn(turn);
      case ToolCallInherited(var exchange) -> state.put(ToolExchange.TABLE, exchange);
      case ScopeCountSaved(var trajectory, var scopes) ->
          state.put(ScopeCount.TABLE, new ScopeCount(trajectory, scopes));
      case TurnCountSaved counted -> recordTurnCount(counted);
      case TurnArchived(var turn, var at) ->
          state.updateIfPresent(Turn.TABLE, turn.id(), old -> old.asArchived(at));
      case TurnRolledBack(var turn, var at) -> rollBackTurn(turn, at);
      case ScopeRolledBack(var trajectory, var id, var at) ->
          changeScope(trajectory, id, at, old -> old.asRolledBack(at));
      case ArtifactCreated(var artifact) -> createArtifact(artifact);
      case ArtifactEvent changed ->
          changeArtifact(
              changed.trajectory(), changed.artifact(), changed.at(), old -> after(changed, old));
      case NoteWritten(var note) -> writeNote(note);
      case NoteMerged(var id, var content, var confidence, var sources, var labels, var at) ->
          writeNextVersion(id, at, old -> old.merged(content, confidence, sources, labels, at));
      case NoteEnded(var id, var end, var at) ->
          writeNextVersion(id, at, old -> old.withValidityEnd(end, at));
      case NoteRetired(var id, var successor, var at) ->
          state.updateIfPresent(Note.TABLE, id, old -> old.asRetired(successor, at));
      case NoteSupersessionRecorded(var id, var old, var at) ->
          writeNextVersion(id, at, note -> note.asSuccessorOf(old, at));
      case NoteConflictFound(var one, var other) -> linkConflict(one, other);
      case CheckpointSaved(var checkpoint) -> saveCheckpoint(checkpoint);
      case CheckpointRecovered(var trajectory, _, var at) -> touchTrajectory(trajectory, at);
      case OutcomeRewritten(var id, var summary, var at) ->
          state.updateIfPresent(Trajectory.TABLE, id, old -> old.withOutcomeSummary(summary, at));
      case NoteRewritten reworded -> rewordNote(reworded);
      case SubjectAssigned assigned -> assignSubject(assigned);
      case RecordPromoted(var record) -> promote(record);
      case RecordRemoved(var record) -> remove(record);
      case RecordForgotten(var record, var reason, var at) -> forget(record, reason, at);
    }
  }

  private static Artifact after(ArtifactEvent event, Artifact old) {
    return switch (event) {
      case ArtifactRolledBack(_, _, var at) -> old.asRolledBack(at);
      case ArtifactRestored(_, _, var at) -> old.restored(at);
      case ArtifactDeduplicated(_, _, var again, var wanted, var labels, var at) ->
          old.mergedWithDuplicate(again, wanted, labels, at);
      case ArtifactSuperseded(_, _, var successor, var at) -> old.asSuperseded(successor, at);
      case ArtifactExpired(_, _, var at) -> old.asExpired(at);
      case ArtifactSourcesRemoved(_, _, var sources, var at) -> old.withoutSources(sources, at);
    };
  }

  private void summarize(TrajectorySummarized event) {
    state.updateIfPresent(
        Trajectory.TABLE,
        event.trajectory(),
        old ->
            keepPastSummary(old, event.kept(), event.at()).summarized(event.summary(), event.at()));
  }

  private void createArtifact(Artifact artifact) {
    state.put(Artifact.TABLE, artifact);
    touchTrajectory(artifact.trajectory(), artifact.createdAt());
  }

  private void assignSubject(SubjectAssigned event) {
    String subject = event.subject();
    state.updateIfPresent(Trajectory.TABLE, event.trajectory(), old -> old.withSubject(subject));
    event
        .scopes()
        .forEach(id -> state.updateIfPresent(Scope.TABLE, id, old -> old.withSubject(subject)));
    event
        .turns()
        .forEach(id -> state.updateIfPresent(Turn.TABLE, id, old -> old.withSubject(subject)));
    event
        .artifacts()
        .forEach(
            id ->
                state.updateIfPresent(
                    Artifact.TABLE, id, old -> old.withLabels(old.labels().withSubject(subject))));
    event
        .notes()
        .forEach(
            id ->
                state.updateIfPresent(
                    Note.TABLE, id, old -> old.withLabels(old.labels().withSubject(subject))));
  }

  private void promote(EntityRef record) {
    Id id = Id.parse(record.id());
    switch (record.type()) {
      case NOTE ->
          state.updateIfPresent(Note.TABLE, id, old -> old.withLabels(old.labels().asPromoted()));
      case ARTIFACT ->
          state.updateIfPresent(
              Artifact.TABLE, id, old -> old.withLabels(old.labels().asPromoted()));
      case TRAJECTORY, SCOPE, TURN, CHECKPOINT, AGENT, WINDOW, SUBJECT ->
          throw new IllegalArgumentException(
              "Only notes and artifacts can be shared with the whole space, not a "
                  + record.type());
    }
  }

  private void forget(EntityRef record, String reason, Instant at) {
    remove(record);
    state.put(Tombstone.TABLE, new Tombstone(Id.parse(record.id()), record.type(), reason, at));
  }

  private void startTrajectory(Trajectory trajectory) {
    state.put(Trajectory.TABLE, trajectory);
    trajectory.parent().ifPresent(parent -> touchTrajectory(parent, trajectory.createdAt()));
  }

  private void openScope(Scope scope) {
    state.put(Scope.TABLE, scope);
    touchTrajectory(scope.trajectory(), scope.openedAt());
  }

  private Trajectory keepPastSummary(Trajectory summarized, Optional<Id> kept, Instant until) {
    kept.ifPresent(
        id ->
            state.put(
                PastSummary.TABLE,
                new PastSummary(id, summarized.id(), summarized.summary(), until)));
    return summarized;
  }

  /** Keeps the past summary of a closed scope; that of an open one was never shown. */
  private Scope keepPastSummary(Scope summarized, Optional<Id> kept, Instant until) {
    kept.filter(_ -> !summarized.isOpen())
        .ifPresent(
            id ->
                state.put(
                    PastSummary.TABLE,
                    new PastSummary(id, summarized.id(), summarized.summary(), until)));
    return summarized;
  }

  private void recordTurnCount(TurnCountSaved counted) {
    state.updateIfPresent(
        Trajectory.TABLE, counted.trajectory(), old -> old.withTotals(counted.total()));
    state.updateIfPresent(
        Scope.TABLE, counted.scope(), old -> old.withTurnsAtLeast(counted.turns()));
  }

  private void appendTurn(Turn turn) {
    state.add(Turn.TABLE, turn);
    turn.parts().forEach(turnPart -> pairToolCall(turn, turnPart));
  }

  private void pairToolCall(Turn turn, TurnPart turnPart) {
    switch (turnPart) {
      case TurnPart.ToolCallPart call ->
          state.put(ToolExchange.TABLE, ToolExchange.ofCall(turn, call));
      case TurnPart.ToolResultPart(var call, _, _) ->
          state.updateIfPresent(
              ToolExchange.TABLE,
              ToolExchange.idOf(turn.trajectory(), call),
              old -> old.withResult(turn));
      case TurnPart.TextPart _, TurnPart.DataPart _ -> {}
    }
  }

  /**
   * Rolls back a turn: its tool calls are dropped, and the calls that it answered are open again.
   */
  private void rollBackTurn(Turn turn, Instant at) {
    state.updateIfPresent(Turn.TABLE, turn.id(), old -> old.asRolledBack(at));
    for (TurnPart turnPart : turn.parts()) {
      switch (turnPart) {
        case TurnPart.ToolCallPart(var call, _, _) ->
            state.remove(ToolExchange.TABLE, ToolExchange.idOf(turn.trajectory(), call));
        case TurnPart.ToolResultPart(var call, _, _) ->
            state.updateIfPresent(
                ToolExchange.TABLE,
                ToolExchange.idOf(turn.trajectory(), call),
                ToolExchange::withoutResult);
        case TurnPart.TextPart _, TurnPart.DataPart _ -> {}
      }
    }
  }

  private void changeScope(Id trajectory, Id scope, Instant at, UnaryOperator<Scope> how) {
    state.updateIfPresent(Scope.TABLE, scope, how);
    touchTrajectory(trajectory, at);
  }

  private void changeArtifact(Id trajectory, Id artifact, Instant at, UnaryOperator<Artifact> how) {
    state.updateIfPresent(Artifact.TABLE, artifact, how);
    touchTrajectory(trajectory, at);
  }

  private void touchTrajectory(Id trajectory, Instant at) {
    state.updateIfPresent(Trajectory.TABLE, trajectory, old -> old.withUpdatedAt(at));
  }

  /** Writes the next version of a note and keeps the one before. */
  private void writeNextVersion(Id note, Instant at, UnaryOperator<Note> how) {
    state
        .find(Note.TABLE, note)
        .ifPresent(
            old -> {
              state.put(PastNote.TABLE, PastNote.of(old, at));
              writeNote(how.apply(old));
            });
  }

  private void writeNote(Note note) {
    state.put(Note.TABLE, note);
    note.sources()
        .forEach(
            source -> state.put(TrajectoryNoteLink.TABLE, TrajectoryNoteLink.of(note, source)));
  }

  private void rewordNote(NoteRewritten event) {
    Id note = event.note();
    state.updateIfPresent(
        Note.TABLE, note, old -> old.asReworded(event.content(), event.sources(), event.labels()));
    event.versions().forEach(v -> state.remove(PastNote.TABLE, PastNote.idOf(note, v)));
    event
        .sources()
        .forEach(s -> state.remove(TrajectoryNoteLink.TABLE, TrajectoryNoteLink.idOf(note, s)));
  }

  private void linkConflict(Id one, Id other) {
    state.updateIfPresent(Note.TABLE, one, note -> note.withConflict(other));
    state.updateIfPresent(Note.TABLE, other, note -> note.withConflict(one));
  }

  private void saveCheckpoint(Checkpoint checkpoint) {
    state.put(Checkpoint.TABLE, checkpoint);
    checkpoint
        .scope()
        .ifPresent(
            scope ->
                state.updateIfPresent(
                    Scope.TABLE, scope, old -> old.withCheckpoint(checkpoint.id())));
    touchTrajectory(checkpoint.trajectory(), checkpoint.createdAt());
  }

  private void remove(EntityRef record) {
    switch (record.type()) {
      case TRAJECTORY -> removeTrajectory(record.id());
      case SCOPE -> state.remove(Scope.TABLE, record.id());
      case CHECKPOINT ->
          state.find(Checkpoint.TABLE, record.id()).ifPresent(this::removeCheckpoint);
      case TURN -> state.find(Turn.TABLE, record.id()).ifPresent(this::removeTurn);
      case ARTIFACT -> state.find(Artifact.TABLE, record.id()).ifPresent(this::removeArtifact);
      case NOTE -> state.find(Note.TABLE, record.id()).ifPresent(this::removeNote);
      case AGENT, WINDOW, SUBJECT ->
          throw new IllegalArgumentException("Memory cannot remove a " + record.type());
    }
  }

  private void removeTrajectory(String id) {
    state.remove(Trajectory.TABLE, id);
    state.remove(ScopeCount.TABLE, id);
  }

  private void removeCheckpoint(Checkpoint checkpoint) {
    state.remove(Checkpoint.TABLE, checkpoint.id());
    checkpoint
        .scope()
        .ifPresent(
            scope ->
                state.updateIfPresent(
                    Scope.TABLE, scope, old -> old.withoutCheckpoint(checkpoint.id())));
  }

  /**
   * Removes a turn. A removed call drops its exchange; a removed result stays named by its call,
   * which is not open again.
   */
  private void removeTurn(Turn turn) {
    state.remove(Turn.TABLE, turn.id());
    for (TurnPart turnPart : turn.parts()) {
      if (turnPart instanceof TurnPart.ToolCallPart(var call, _, _)) {
        state.remove(ToolExchange.TABLE, ToolExchange.idOf(turn.trajectory(), call));
      }
    }
  }

  private void removeArtifact(Artifact artifact) {
    state.remove(Artifact.TABLE, artifact.id());
    state.updateIfPresent(
        Scope.TABLE, artifact.scope(), scope -> scope.withoutArtifact(artifact.id()));
  }

  private void removeNote(Note note) {
    state.remove(Note.TABLE, note.id());
    note.sources()
        .forEach(
            source ->
                state.remove(TrajectoryNoteLink.TABLE, TrajectoryNoteLink.idOf(note.id(), source)));
    for (int version = 1; version < note.version(); version++) {
      state.remove(PastNote.TABLE, PastNote.idOf(note.id(), version));
    }
    DistinctLists.union(note.conflictsWith(), note.supersedes())
        .forEach(
            linked ->
                state.updateIfPresent(
                    Note.TABLE, linked, other -> other.withoutLinksTo(note.id())));
    note.supersededBy()
        .ifPresent(
            linked ->
                state.updateIfPresent(
                    Note.TABLE, linked, other -> other.withoutLinksTo(note.id())));
  }
}
