package dev.caliber.memory;

import dev.caliber.kernel.Hashing;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.Limit;
import dev.caliber.kernel.config.Trigger;
import dev.caliber.memory.command.CloseScope;
import dev.caliber.memory.command.EndTrajectory;
import dev.caliber.memory.command.ForkTrajectory;
import dev.caliber.memory.command.MoveTrajectory;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Checkpoint;
import dev.caliber.memory.record.Continuation;
import dev.caliber.memory.record.Counters;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.MemoryEvent.CallInherited;
import dev.caliber.memory.record.MemoryEvent.TrajectoryMoved;
import dev.caliber.memory.record.MemoryEvent.TrajectoryStarted;
import dev.caliber.memory.record.MemoryException;
import dev.caliber.memory.record.Outcome;
import dev.caliber.memory.record.Part;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.ToolExchange;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.TrajectoryStatus;
import dev.caliber.memory.record.Turn;
import dev.caliber.store.Query;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Decides what becomes of trajectories. */
final class TrajectoryWork {
  private final Desk desk;
  private final Guard guard;
  private final ScopeWork scopes;

  TrajectoryWork(Desk desk, ScopeWork scopes) {
    this.desk = desk;
    this.guard = new Guard(desk.config().limits());
    this.scopes = scopes;
  }

  Trajectory start(StartTrajectory command) {
    return start(command, Optional.empty());
  }

  Trajectory fork(ForkTrajectory command) {
    Checkpoint from = desk.view().checkpoint(command.checkpoint());
    Optional<Continuation> point = scopes.continuation(from);
    Trajectory fork = start(command.start().under(from.trajectory()), point);
    point.ifPresent(found -> inherit(fork.id(), found));
    return fork;
  }

  /** The calls that had no result at that point wait for one in the fork, too. */
  private void inherit(Id fork, Continuation from) {
    Map<String, ToolExchange> open = new LinkedHashMap<>();
    for (Turn turn : lastTurns(from)) {
      for (Part part : turn.parts()) {
        switch (part) {
          case Part.ToolCall call ->
              open.put(call.call(), ToolExchange.inherited(fork, call, turn.id()));
          case Part.ToolResult(var call, _, _) -> open.remove(call);
          case Part.Text _, Part.Data _ -> {}
        }
      }
    }
    open.values().forEach(exchange -> desk.emit(new CallInherited(exchange)));
  }

  /** The last turns that a continuation goes on from, by sequence. */
  private List<Turn> lastTurns(Continuation from) {
    return desk.view()
        .upTo(
            Query.over(Turn.TABLE, "scope", "sequence")
                .equal(from.scope())
                .descending()
                .where(turn -> turn.position() < from.before() && turn.wasLive(from.at())),
            desk.config().limits().summarized())
        .reversed();
  }

  private Trajectory start(StartTrajectory command, Optional<Continuation> from) {
    guard.check(command);
    Id id = desk.newId();
    command.parent().ifPresent(parent -> requireLine(id, parent));
    desk.emit(new TrajectoryStarted(draft(id, inheriting(command))));
    scopes.open(id, from);
    desk.fire(Trigger.Event.TASK_START, id, id, Optional.empty());
    return desk.view().trajectory(id);
  }

  /**
   * A child belongs to the subject or the group of its parent, whatever it is: task, fork or
   * delegation. A session of a known name belongs to that of the newest session of the name.
   */
  private StartTrajectory inheriting(StartTrajectory command) {
    StartTrajectory child =
        command
            .parent()
            .map(desk.view()::storedTrajectory)
            .map(parent -> command.inheriting(parent))
            .orElse(command);
    return child
        .labels()
        .externalId()
        .filter(_ -> !child.group())
        .flatMap(desk.view()::session)
        .map(child::inheriting)
        .orElse(child);
  }

  private Trajectory draft(Id id, StartTrajectory command) {
    Instant now = desk.now();
    return new Trajectory(
        id,
        command.goal(),
        Hashing.hex(Hashing.sha256(command.goal().getBytes(StandardCharsets.UTF_8))),
        TrajectoryStatus.LIFE.initial(),
        command.initiator(),
        command.tags(),
        command.parent(),
        Counters.ZERO,
        Optional.empty(),
        Optional.empty(),
        command.labels(),
        now,
        now,
        Optional.of(true).filter(_ -> command.group()));
  }

  Trajectory move(MoveTrajectory command) {
    Trajectory before = desk.view().trajectory(command.trajectory());
    return before.status().after(command.event()) == before.status()
        ? before
        : moved(before.id(), command.event(), Optional.empty());
  }

  Trajectory end(EndTrajectory command) {
    guard.check(command);
    Trajectory before = desk.view().trajectory(command.trajectory());
    before.status().after(command.outcome().event());
    for (Scope scope : desk.view().openScopes(before.id())) {
      scopes.close(CloseScope.of(scope.id()));
    }
    new Ending(desk).begin(new Ending.Over(before.id(), Optional.empty()));
    Trajectory ended =
        moved(before.id(), command.outcome().event(), Optional.of(outcome(command, before.id())));
    desk.fire(Trigger.Event.TASK_END, ended.id(), ended.id(), Optional.empty());
    return ended;
  }

  private Trajectory moved(Id id, TrajectoryStatus.Event event, Optional<Outcome> outcome) {
    desk.emit(new TrajectoryMoved(id, event, outcome, desk.now()));
    return desk.view().trajectory(id);
  }

  private Outcome outcome(EndTrajectory command, Id id) {
    Trajectory trajectory = desk.view().trajectory(id);
    int most = desk.config().limits().records();
    Standing standing = new Standing(desk.view(), id);
    List<Artifact> artifacts = standing.lastKept(desk.now(), most);
    Learned learned = new Learned(desk.view(), id);
    List<Id> notes = learned.last(most);
    return new Outcome(
        command.outcome(),
        command.summary(),
        artifacts.stream().map(Artifact::id).toList(),
        notes,
        Duration.between(trajectory.createdAt(), desk.now()).toMillis(),
        trajectory.counters().tokensInput(),
        trajectory.counters().tokensOutput(),
        unnamed(artifacts.size(), standing.countKept()),
        unnamed(notes.size(), learned.count()));
  }

  /** How many more there are than are named, where not all of them are. */
  private Optional<Long> unnamed(int named, long all) {
    return Optional.of(all - named)
        .filter(more -> more > 0 && named == desk.config().limits().records());
  }

  /** The parent has to be there; one further up may have been forgotten. */
  private Optional<Id> above(Id id, Id parent) {
    return id.equals(parent)
        ? desk.view().trajectory(id).parent()
        : desk.transaction().find(Trajectory.TABLE, id).flatMap(Trajectory::parent);
  }

  /** Walks up: every parent must be there, none may be the new one, and the line has an end. */
  private void requireLine(Id id, Id parent) {
    Limit parents = new Limit("memory.limits.parents", desk.config().limits().parents());
    List<Id> line = new ArrayList<>(List.of(id));
    Optional<Id> next = Optional.of(parent);
    while (next.isPresent()) {
      if (line.contains(next.get())) {
        throw MemoryException.circular(EntityType.TRAJECTORY, line);
      }
      line.add(next.get());
      parents.check(line.size() - 1L);
      next = above(next.get(), parent);
    }
  }
}
