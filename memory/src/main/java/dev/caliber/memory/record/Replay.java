package dev.caliber.memory.record;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.MemoryEvent.ArtifactBereft;
import dev.caliber.memory.record.MemoryEvent.ArtifactCreated;
import dev.caliber.memory.record.MemoryEvent.ArtifactExpired;
import dev.caliber.memory.record.MemoryEvent.ArtifactRestored;
import dev.caliber.memory.record.MemoryEvent.ArtifactRolledBack;
import dev.caliber.memory.record.MemoryEvent.ArtifactSeenAgain;
import dev.caliber.memory.record.MemoryEvent.ArtifactSuperseded;
import dev.caliber.memory.record.MemoryEvent.CallInherited;
import dev.caliber.memory.record.MemoryEvent.CheckpointRecovered;
import dev.caliber.memory.record.MemoryEvent.CheckpointSaved;
import dev.caliber.memory.record.MemoryEvent.NoteEnded;
import dev.caliber.memory.record.MemoryEvent.NoteMerged;
import dev.caliber.memory.record.MemoryEvent.NoteRetired;
import dev.caliber.memory.record.MemoryEvent.NoteReworded;
import dev.caliber.memory.record.MemoryEvent.NoteSucceeded;
import dev.caliber.memory.record.MemoryEvent.NoteWritten;
import dev.caliber.memory.record.MemoryEvent.NotesConflict;
import dev.caliber.memory.record.MemoryEvent.OutcomeReworded;
import dev.caliber.memory.record.MemoryEvent.RecordForgotten;
import dev.caliber.memory.record.MemoryEvent.RecordPromoted;
import dev.caliber.memory.record.MemoryEvent.RecordRemoved;
import dev.caliber.memory.record.MemoryEvent.ScopeClosed;
import dev.caliber.memory.record.MemoryEvent.ScopeOpened;
import dev.caliber.memory.record.MemoryEvent.ScopeRolledBack;
import dev.caliber.memory.record.MemoryEvent.ScopeSummarized;
import dev.caliber.memory.record.MemoryEvent.ScopeYielded;
import dev.caliber.memory.record.MemoryEvent.ScopesCounted;
import dev.caliber.memory.record.MemoryEvent.SubjectAssigned;
import dev.caliber.memory.record.MemoryEvent.SummariesRemoved;
import dev.caliber.memory.record.MemoryEvent.TrajectoryMoved;
import dev.caliber.memory.record.MemoryEvent.TrajectoryStarted;
import dev.caliber.memory.record.MemoryEvent.TrajectorySummarized;
import dev.caliber.memory.record.MemoryEvent.TurnAppended;
import dev.caliber.memory.record.MemoryEvent.TurnArchived;
import dev.caliber.memory.record.MemoryEvent.TurnRolledBack;
import dev.caliber.memory.record.MemoryEvent.TurnsCounted;
import java.time.Instant;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Turns an event into the changes it means. It decides nothing. */
public final class Replay {
  private final State state;

  public Replay(State state) {
    this.state = state;
  }

  public void apply(MemoryEvent event) {
    switch (event) {
      case TrajectoryStarted(var trajectory) -> start(trajectory);
      case TrajectoryMoved(var id, var move, var outcome, var at) ->
          state.change(Trajectory.TABLE, id, old -> old.moved(move, outcome, at));
      case TrajectorySummarized(var id, var summary, var kept, var at) ->
          state.change(Trajectory.TABLE, id, old -> keep(old, kept, at).summarized(summary, at));
      case ScopeOpened(var scope) -> open(scope);
      case ScopeClosed(var trajectory, var id, var end, var turns, var at) ->
          changeScope(trajectory, id, at, old -> old.closed(end, turns, at));
      case ScopeSummarized(_, var id, var summary, var kept, var at) ->
          state.change(Scope.TABLE, id, old -> keep(old, kept, at).summarized(summary));
      case SummariesRemoved(_, var past) ->
          past.forEach(gone -> state.remove(PastSummary.TABLE, gone));
      case ScopeYielded(_, var id, var artifacts) ->
          state.change(Scope.TABLE, id, old -> old.yielded(artifacts));
      case TurnAppended(var turn) -> append(turn);
      case CallInherited(var exchange) -> state.put(ToolExchange.TABLE, exchange);
      case ScopesCounted(var trajectory, var scopes) ->
          state.put(ScopeCount.TABLE, new ScopeCount(trajectory, scopes));
      case TurnsCounted counted -> count(counted);
      case TurnArchived(var turn, var at) ->
          state.change(Turn.TABLE, turn.id(), old -> old.archived(at));
      case TurnRolledBack(var turn, var at) -> rollBack(turn, at);
      case ScopeRolledBack(var trajectory, var id, var at) ->
          changeScope(trajectory, id, at, old -> old.rolledBack(at));
      case ArtifactRolledBack(var trajectory, var id, var at) ->
          change(trajectory, id, at, old -> old.rolledBack(at));
      case ArtifactRestored(var trajectory, var id, var at) ->
          change(trajectory, id, at, old -> old.restored(at));
      case ArtifactCreated(var artifact) -> create(artifact);
      case ArtifactSeenAgain(var trajectory, var id, var again, var wanted, var labels, var at) ->
          change(trajectory, id, at, old -> old.seenAgain(again, wanted, labels, at));
      case ArtifactSuperseded(var trajectory, var id, var successor, var at) ->
          change(trajectory, id, at, old -> old.superseded(successor, at));
      case ArtifactExpired(var trajectory, var id, var at) ->
          change(trajectory, id, at, old -> old.expired(at));
      case NoteWritten(var note) -> write(note);
      case NoteMerged(var id, var content, var confidence, var sources, var labels, var at) ->
          renew(id, at, old -> old.merged(content, confidence, sources, labels, at));
      case NoteEnded(var id, var end, var at) -> renew(id, at, old -> old.endingAt(end, at));
      case NoteRetired(var id, var successor, var at) ->
          state.change(Note.TABLE, id, old -> old.retired(successor, at));
      case NoteSucceeded(var id, var old, var at) ->
          renew(id, at, note -> note.succeeding(old, at));
      case NotesConflict(var one, var other) -> conflict(one, other);
      case CheckpointSaved(var checkpoint) -> save(checkpoint);
      case CheckpointRecovered(var trajectory, _, var at) -> touch(trajectory, at);
      case OutcomeReworded(var id, var summary, var at) ->
          state.change(Trajectory.TABLE, id, old -> old.outcomeReworded(summary, at));
      case ArtifactBereft(var trajectory, var id, var sources, var at) ->
          change(trajectory, id, at, old -> old.without(sources, at));
      case NoteReworded reworded -> reword(reworded);
      case SubjectAssigned assigned -> assign(assigned);
      case RecordPromoted(var record) -> promote(record);
      case RecordRemoved(var record) -> remove(record);
      case RecordForgotten(var record, var reason, var at) -> forget(record, reason, at);
    }
  }

  private void create(Artifact artifact) {
    state.put(Artifact.TABLE, artifact);
    touch(artifact.trajectory(), artifact.createdAt());
  }

  private void assign(SubjectAssigned event) {
    String subject = event.subject();
    state.change(Trajectory.TABLE, event.trajectory(), old -> old.ofSubject(subject));
    event.scopes().forEach(id -> state.change(Scope.TABLE, id, old -> old.ofSubject(subject)));
    event.turns().forEach(id -> state.change(Turn.TABLE, id, old -> old.ofSubject(subject)));
    event
        .artifacts()
        .forEach(
            id ->
                state.change(
                    Artifact.TABLE, id, old -> old.relabelled(old.labels().withSubject(subject))));
    event
        .notes()
        .forEach(
            id ->
                state.change(
                    Note.TABLE, id, old -> old.relabelled(old.labels().withSubject(subject))));
  }

  private void promote(EntityRef record) {
    Id id = Id.parse(record.id());
    switch (record.type()) {
      case NOTE -> state.change(Note.TABLE, id, old -> old.relabelled(old.labels().promoted()));
      case ARTIFACT ->
          state.change(Artifact.TABLE, id, old -> old.relabelled(old.labels().promoted()));
      case TRAJECTORY, SCOPE, TURN, CHECKPOINT, AGENT, WINDOW, SUBJECT ->
          throw new IllegalArgumentException("No promotion of a " + record.type());
    }
  }

  private void forget(EntityRef record, String reason, Instant at) {
    remove(record);
    state.put(Tombstone.TABLE, new Tombstone(Id.parse(record.id()), record.type(), reason, at));
  }

  private void start(Trajectory trajectory) {
    state.put(Trajectory.TABLE, trajectory);
    trajectory.parent().ifPresent(parent -> touch(parent, trajectory.createdAt()));
  }

  private void open(Scope scope) {
    state.put(Scope.TABLE, scope);
    touch(scope.trajectory(), scope.openedAt());
  }

  private Trajectory keep(Trajectory told, Optional<Id> kept, Instant until) {
    kept.ifPresent(
        id -> state.put(PastSummary.TABLE, new PastSummary(id, told.id(), told.summary(), until)));
    return told;
  }

  /** Of an open scope nobody is told. */
  private Scope keep(Scope told, Optional<Id> kept, Instant until) {
    kept.filter(_ -> !told.isOpen())
        .ifPresent(
            id ->
                state.put(
                    PastSummary.TABLE, new PastSummary(id, told.id(), told.summary(), until)));
    return told;
  }

  private void count(TurnsCounted counted) {
    state.change(Trajectory.TABLE, counted.trajectory(), old -> old.counted(counted.total()));
    state.change(Scope.TABLE, counted.scope(), old -> old.counted(counted.turns()));
  }

  private void append(Turn turn) {
    state.add(Turn.TABLE, turn);
    turn.parts().forEach(part -> pair(turn, part));
  }

  private void pair(Turn turn, Part part) {
    switch (part) {
      case Part.ToolCall call -> state.put(ToolExchange.TABLE, ToolExchange.asked(turn, call));
      case Part.ToolResult(var call, _, _) ->
          state.change(
              ToolExchange.TABLE,
              ToolExchange.idOf(turn.trajectory(), call),
              old -> old.answered(turn));
      case Part.Text _, Part.Data _ -> {}
    }
  }

  /** Its calls are no longer waited for, and what it answered is. */
  private void rollBack(Turn turn, Instant at) {
    state.change(Turn.TABLE, turn.id(), old -> old.rolledBack(at));
    for (Part part : turn.parts()) {
      switch (part) {
        case Part.ToolCall(var call, _, _) ->
            state.remove(ToolExchange.TABLE, ToolExchange.idOf(turn.trajectory(), call));
        case Part.ToolResult(var call, _, _) ->
            state.change(
                ToolExchange.TABLE,
                ToolExchange.idOf(turn.trajectory(), call),
                ToolExchange::reopened);
        case Part.Text _, Part.Data _ -> {}
      }
    }
  }

  private void changeScope(Id trajectory, Id scope, Instant at, UnaryOperator<Scope> how) {
    state.change(Scope.TABLE, scope, how);
    touch(trajectory, at);
  }

  private void change(Id trajectory, Id artifact, Instant at, UnaryOperator<Artifact> how) {
    state.change(Artifact.TABLE, artifact, how);
    touch(trajectory, at);
  }

  private void touch(Id trajectory, Instant at) {
    state.change(Trajectory.TABLE, trajectory, old -> old.touched(at));
  }

  /** Keeps the version before. */
  private void renew(Id note, Instant at, UnaryOperator<Note> how) {
    state
        .find(Note.TABLE, note)
        .ifPresent(
            old -> {
              state.put(PastNote.TABLE, PastNote.of(old, at));
              write(how.apply(old));
            });
  }

  private void write(Note note) {
    state.put(Note.TABLE, note);
    note.sources().forEach(source -> state.put(NoteSource.TABLE, NoteSource.of(note, source)));
  }

  private void reword(NoteReworded event) {
    Id note = event.note();
    state.change(
        Note.TABLE, note, old -> old.reworded(event.content(), event.sources(), event.labels()));
    event.versions().forEach(v -> state.remove(PastNote.TABLE, PastNote.idOf(note, v)));
    event.sources().forEach(s -> state.remove(NoteSource.TABLE, NoteSource.idOf(note, s)));
  }

  private void conflict(Id one, Id other) {
    state.change(Note.TABLE, one, note -> note.conflicting(other));
    state.change(Note.TABLE, other, note -> note.conflicting(one));
  }

  private void save(Checkpoint checkpoint) {
    state.put(Checkpoint.TABLE, checkpoint);
    checkpoint
        .scope()
        .ifPresent(
            scope -> state.change(Scope.TABLE, scope, old -> old.checkpointed(checkpoint.id())));
    touch(checkpoint.trajectory(), checkpoint.createdAt());
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
          throw new IllegalArgumentException("Memory holds no " + record.type());
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
                state.change(Scope.TABLE, scope, old -> old.withoutCheckpoint(checkpoint.id())));
  }

  /**
   * The other half of a tool exchange stays as it was said. With a call its exchange goes; a call
   * whose result is gone keeps that one's id, and waits for no other.
   */
  private void removeTurn(Turn turn) {
    state.remove(Turn.TABLE, turn.id());
    for (Part part : turn.parts()) {
      if (part instanceof Part.ToolCall(var call, _, _)) {
        state.remove(ToolExchange.TABLE, ToolExchange.idOf(turn.trajectory(), call));
      }
    }
  }

  private void removeArtifact(Artifact artifact) {
    state.remove(Artifact.TABLE, artifact.id());
    state.change(Scope.TABLE, artifact.scope(), scope -> scope.without(artifact.id()));
  }

  private void removeNote(Note note) {
    state.remove(Note.TABLE, note.id());
    note.sources()
        .forEach(source -> state.remove(NoteSource.TABLE, NoteSource.idOf(note.id(), source)));
    for (int version = 1; version < note.version(); version++) {
      state.remove(PastNote.TABLE, PastNote.idOf(note.id(), version));
    }
    Lists.union(note.conflictsWith(), note.supersedes())
        .forEach(linked -> state.change(Note.TABLE, linked, other -> other.unlinked(note.id())));
    note.supersededBy()
        .ifPresent(linked -> state.change(Note.TABLE, linked, other -> other.unlinked(note.id())));
  }
}
