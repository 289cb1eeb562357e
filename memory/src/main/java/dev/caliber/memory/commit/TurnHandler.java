package dev.caliber.memory.commit;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.config.ContextIntegrityConfig;
import dev.caliber.kernel.config.Trigger;
import dev.caliber.memory.command.AppendTurns;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.SaveCheckpoint;
import dev.caliber.memory.event.MemoryEvent.TurnAppended;
import dev.caliber.memory.record.MemoryException;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.ToolExchange;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.record.TurnPart;
import dev.caliber.memory.record.TurnTotals;
import dev.caliber.memory.spi.TokenCounter;
import dev.caliber.memory.view.InputLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Handles the appending of turns. */
public final class TurnHandler {
  private final UnitOfWork unitOfWork;
  private final TokenCounter counter;
  private final CheckpointHandler checkpoints;

  public TurnHandler(UnitOfWork unitOfWork, TokenCounter counter, CheckpointHandler checkpoints) {
    this.unitOfWork = unitOfWork;
    this.checkpoints = checkpoints;
    this.counter = counter;
  }

  public List<Turn> append(AppendTurns command) {
    new InputLimits(unitOfWork.config().limits()).check(command.turns());
    List<Turn> turns = new ArrayList<>();
    for (NewTurn turn : command.turns()) {
      turns.add(append(command.scope(), turn));
    }
    return List.copyOf(turns);
  }

  private Turn append(Id scopeId, NewTurn draft) {
    Scope scope = unitOfWork.view().scope(scopeId);
    Trajectory trajectory = unitOfWork.view().storedTrajectory(scope.trajectory());
    trajectory.requireSubject(draft.labels().subject());
    Optional<Turn> same =
        draft
            .labels()
            .externalId()
            .flatMap(name -> unitOfWork.view().turn(scope.trajectory(), name));
    return same.orElseGet(() -> appendTurn(trajectory, scope, draft));
  }

  private Turn appendTurn(Trajectory trajectory, Scope scope, NewTurn draft) {
    if (!scope.isOpen()) {
      throw MemoryException.scopeClosed(scope.id());
    }
    if (trajectory.status().isTerminal()) {
      throw MemoryException.trajectoryEnded(trajectory);
    }
    Turn turn = draftTurn(trajectory, scope, draft);
    requireMatchedToolCalls(turn);
    unitOfWork.emit(new TurnAppended(turn));
    unitOfWork.transaction().cacheFact(cacheKey(trajectory.id()), NewestTurnState.of(turn));
    unitOfWork.fire(
        Trigger.TrajectoryTriggerEvent.TURN, turn.id(), trajectory.id(), Optional.of(scope.id()));
    saveCheckpointPerTurn(trajectory.id());
    return turn;
  }

  private void saveCheckpointPerTurn(Id trajectory) {
    if (unitOfWork.runtime().pcp().checkpoints().frequency()
        == ContextIntegrityConfig.CheckpointFrequency.PER_TURN) {
      checkpoints.save(SaveCheckpoint.of(trajectory));
    }
  }

  private Turn draftTurn(Trajectory trajectory, Scope scope, NewTurn draft) {
    Optional<NewestTurnState> newest = newestTurnState(trajectory.id());
    TurnTotals before =
        newest.map(NewestTurnState::total).orElse(TurnTotals.ZERO).laterOf(trajectory.counters());
    int tokens = draft.withTokenCount(counter).tokens().orElseThrow();
    return new Turn(
        unitOfWork.newId(),
        trajectory.id(),
        scope.id(),
        nextSequence(scope, newest),
        before.withTurn(draft.role(), tokens),
        draft.role(),
        draft.parts(),
        tokens,
        draft.model(),
        new SubjectAssigner(unitOfWork).labelsFor(trajectory, draft.labels()),
        unitOfWork.now(),
        Optional.empty(),
        Optional.empty());
  }

  /** Sequence and totals of the newest turn, also after its removal. */
  private record NewestTurnState(Id scope, int sequence, TurnTotals total) {
    static NewestTurnState of(Turn turn) {
      return new NewestTurnState(turn.scope(), turn.sequence(), turn.total());
    }
  }

  private static String cacheKey(Id trajectory) {
    return "newest turn of " + trajectory;
  }

  /** Returns the state of the newest turn, from the writer cache or else the index. */
  private Optional<NewestTurnState> newestTurnState(Id trajectory) {
    return unitOfWork
        .transaction()
        .cachedFact(cacheKey(trajectory), NewestTurnState.class)
        .or(() -> unitOfWork.view().newestTurn(trajectory).map(NewestTurnState::of));
  }

  /**
   * Returns the next sequence in the scope; that of a removed turn is not used again. The newest
   * turn of the trajectory is usually the newest of the scope.
   */
  private int nextSequence(Scope scope, Optional<NewestTurnState> newest) {
    return newest
        .filter(newestTurnState -> newestTurnState.scope().equals(scope.id()))
        .map(newestTurnState -> Math.max(newestTurnState.sequence() + 1, scope.turns()))
        .orElseGet(() -> unitOfWork.view().countTurnsEverAppended(scope));
  }

  /** Requires a new id for each tool call, and an open call for each result. */
  private void requireMatchedToolCalls(Turn turn) {
    List<String> asked = new ArrayList<>();
    List<String> answered = new ArrayList<>();
    for (TurnPart turnPart : turn.parts()) {
      switch (turnPart) {
        case TurnPart.ToolCallPart(var call, _, _) -> requireNewCall(turn, call, asked);
        case TurnPart.ToolResultPart(var call, _, _) ->
            requireOpenCall(turn, call, asked, answered);
        case TurnPart.TextPart _, TurnPart.DataPart _ -> {}
      }
    }
  }

  private void requireNewCall(Turn turn, String call, List<String> asked) {
    if (asked.contains(call) || findExchange(turn, call).isPresent()) {
      throw MemoryException.repeatedCall(call);
    }
    asked.add(call);
  }

  private void requireOpenCall(Turn turn, String call, List<String> asked, List<String> answered) {
    boolean open =
        asked.contains(call)
            || findExchange(turn, call).filter(found -> found.resultTurn().isEmpty()).isPresent();
    if (!open || answered.contains(call)) {
      throw MemoryException.resultWithoutCall(call);
    }
    answered.add(call);
  }

  private Optional<ToolExchange> findExchange(Turn turn, String call) {
    return unitOfWork.view().toolExchange(turn.trajectory(), call);
  }
}
