package dev.caliber.memory.commit;

import dev.caliber.kernel.FieldHash;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.Limit;
import dev.caliber.kernel.config.Trigger;
import dev.caliber.memory.command.CloseScope;
import dev.caliber.memory.command.EndTrajectory;
import dev.caliber.memory.command.ForkTrajectory;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.command.SuspendOrResumeTrajectory;
import dev.caliber.memory.event.MemoryEvent.ToolCallInherited;
import dev.caliber.memory.event.MemoryEvent.TrajectoryStarted;
import dev.caliber.memory.event.MemoryEvent.TrajectoryStatusChanged;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Checkpoint;
import dev.caliber.memory.record.ContinuationPoint;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.MemoryException;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.ToolExchange;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.TrajectoryOutcome;
import dev.caliber.memory.record.TrajectoryStatus;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.record.TurnPart;
import dev.caliber.memory.record.TurnTotals;
import dev.caliber.memory.view.InputLimits;
import dev.caliber.memory.view.LiveArtifacts;
import dev.caliber.memory.view.TrajectoryNotes;
import dev.caliber.store.Query;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Handles the start, fork, suspension and end of trajectories. */
public final class TrajectoryHandler {
  private final UnitOfWork unitOfWork;
  private final InputLimits inputLimits;
  private final ScopeHandler scopes;

  public TrajectoryHandler(UnitOfWork unitOfWork, ScopeHandler scopes) {
    this.unitOfWork = unitOfWork;
    this.inputLimits = new InputLimits(unitOfWork.config().limits());
    this.scopes = scopes;
  }

  public Trajectory start(StartTrajectory command) {
    return start(command, Optional.empty());
  }

  public Trajectory fork(ForkTrajectory command) {
    Checkpoint from = unitOfWork.view().checkpoint(command.checkpoint());
    Optional<ContinuationPoint> point = scopes.continuationPoint(from);
    Trajectory fork = start(command.start().withParent(from.trajectory()), point);
    point.ifPresent(found -> inheritOpenCalls(fork.id(), found));
    return fork;
  }

  /** Copies open tool calls of the checkpoint to the fork, which may answer them. */
  private void inheritOpenCalls(Id fork, ContinuationPoint from) {
    Map<String, ToolExchange> open = new LinkedHashMap<>();
    for (Turn turn : lastTurns(from)) {
      for (TurnPart turnPart : turn.parts()) {
        switch (turnPart) {
          case TurnPart.ToolCallPart call ->
              open.put(call.call(), ToolExchange.ofInheritedCall(fork, call, turn.id()));
          case TurnPart.ToolResultPart(var call, _, _) -> open.remove(call);
          case TurnPart.TextPart _, TurnPart.DataPart _ -> {}
        }
      }
    }
    open.values().forEach(exchange -> unitOfWork.emit(new ToolCallInherited(exchange)));
  }

  /** Returns the last turns before the continuation point, by sequence. */
  private List<Turn> lastTurns(ContinuationPoint from) {
    return unitOfWork
        .view()
        .snapshot()
        .list(
            Query.over(Turn.TABLE, "scope", "sequence")
                .equal(from.scope())
                .descending()
                .where(turn -> turn.position() < from.before() && turn.wasLive(from.at())),
            unitOfWork.config().limits().summarySources())
        .reversed();
  }

  private Trajectory start(StartTrajectory command, Optional<ContinuationPoint> from) {
    inputLimits.check(command);
    Id id = unitOfWork.newId();
    command.parent().ifPresent(parent -> requireAcyclicAncestors(id, parent));
    unitOfWork.emit(new TrajectoryStarted(draft(id, withInheritedSubject(command))));
    scopes.open(id, from);
    unitOfWork.fire(Trigger.TrajectoryTriggerEvent.TASK_START, id, id, Optional.empty());
    return unitOfWork.view().trajectory(id);
  }

  /**
   * Inherits the subject or group of the parent for tasks, forks and delegations. A session with an
   * external id inherits from the newest session with that id.
   */
  private StartTrajectory withInheritedSubject(StartTrajectory command) {
    StartTrajectory child =
        command
            .parent()
            .map(unitOfWork.view()::storedTrajectory)
            .map(parent -> command.withSubjectOf(parent))
            .orElse(command);
    return child
        .labels()
        .externalId()
        .filter(_ -> !child.group())
        .flatMap(unitOfWork.view()::newestTrajectoryByExternalId)
        .map(child::withSubjectOf)
        .orElse(child);
  }

  private Trajectory draft(Id id, StartTrajectory command) {
    Instant now = unitOfWork.now();
    return new Trajectory(
        id,
        command.goal(),
        FieldHash.hex(FieldHash.sha256(command.goal().getBytes(StandardCharsets.UTF_8))),
        TrajectoryStatus.LIFE.initial(),
        command.initiator(),
        command.tags(),
        command.parent(),
        TurnTotals.ZERO,
        Optional.empty(),
        Optional.empty(),
        command.labels(),
        now,
        now,
        Optional.of(true).filter(_ -> command.group()));
  }

  public Trajectory suspendOrResume(SuspendOrResumeTrajectory command) {
    Trajectory before = unitOfWork.view().trajectory(command.trajectory());
    return before.status().next(command.transition()) == before.status()
        ? before
        : applyTransition(before.id(), command.transition(), Optional.empty());
  }

  public Trajectory end(EndTrajectory command) {
    inputLimits.check(command);
    Trajectory before = unitOfWork.view().trajectory(command.trajectory());
    before.status().next(command.outcome().transition());
    for (Scope scope : unitOfWork.view().openScopes(before.id())) {
      scopes.close(CloseScope.of(scope.id()));
    }
    new ArtifactExpiryRunner(unitOfWork)
        .expireFirstBatch(new ArtifactExpiryRunner.ExpiryTarget(before.id(), Optional.empty()));
    Trajectory ended =
        applyTransition(
            before.id(),
            command.outcome().transition(),
            Optional.of(outcome(command, before.id())));
    unitOfWork.fire(
        Trigger.TrajectoryTriggerEvent.TASK_END, ended.id(), ended.id(), Optional.empty());
    return ended;
  }

  private Trajectory applyTransition(
      Id id,
      TrajectoryStatus.TrajectoryTransition trajectoryTransition,
      Optional<TrajectoryOutcome> outcome) {
    unitOfWork.emit(
        new TrajectoryStatusChanged(id, trajectoryTransition, outcome, unitOfWork.now()));
    return unitOfWork.view().trajectory(id);
  }

  private TrajectoryOutcome outcome(EndTrajectory command, Id id) {
    Trajectory trajectory = unitOfWork.view().trajectory(id);
    int most = unitOfWork.config().limits().list();
    LiveArtifacts liveArtifacts = new LiveArtifacts(unitOfWork.view(), id);
    List<Artifact> artifacts = liveArtifacts.newestOutlivingTask(unitOfWork.now(), most);
    TrajectoryNotes trajectoryNotes = new TrajectoryNotes(unitOfWork.view(), id);
    List<Id> notes = trajectoryNotes.newestIds(most);
    return new TrajectoryOutcome(
        command.outcome(),
        command.summary(),
        artifacts.stream().map(Artifact::id).toList(),
        notes,
        Duration.between(trajectory.createdAt(), unitOfWork.now()).toMillis(),
        trajectory.counters().tokensInput(),
        trajectory.counters().tokensOutput(),
        unlistedCount(artifacts.size(), liveArtifacts.countOutlivingTask()),
        unlistedCount(notes.size(), trajectoryNotes.count()));
  }

  /** Returns the number of records beyond the listed ones, if the list is cut. */
  private Optional<Long> unlistedCount(int named, long all) {
    return Optional.of(all - named)
        .filter(more -> more > 0 && named == unitOfWork.config().limits().list());
  }

  /** Returns the parent of an ancestor; only the direct parent must exist. */
  private Optional<Id> parentOf(Id id, Id parent) {
    return id.equals(parent)
        ? unitOfWork.view().trajectory(id).parent()
        : unitOfWork.transaction().find(Trajectory.TABLE, id).flatMap(Trajectory::parent);
  }

  /**
   * Checks that the ancestors contain no cycle and are at most {@code memory.limits.parent-depth}.
   */
  private void requireAcyclicAncestors(Id id, Id parent) {
    Limit parents =
        new Limit("memory.limits.parent-depth", unitOfWork.config().limits().parentDepth());
    List<Id> line = new ArrayList<>(List.of(id));
    Optional<Id> next = Optional.of(parent);
    while (next.isPresent()) {
      if (line.contains(next.get())) {
        throw MemoryException.circular(EntityType.TRAJECTORY, line);
      }
      line.add(next.get());
      parents.requireWithin(line.size() - 1L);
      next = parentOf(next.get(), parent);
    }
  }
}
