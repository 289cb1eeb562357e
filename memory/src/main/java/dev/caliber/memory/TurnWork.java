package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.config.PcpConfig;
import dev.caliber.kernel.config.Trigger;
import dev.caliber.memory.command.AppendTurns;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.SaveCheckpoint;
import dev.caliber.memory.record.Counters;
import dev.caliber.memory.record.MemoryEvent.TurnAppended;
import dev.caliber.memory.record.MemoryException;
import dev.caliber.memory.record.Part;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.ToolExchange;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.spi.TokenCounter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Decides how turns are appended. */
final class TurnWork {
  private final Desk desk;
  private final TokenCounter counter;
  private final CheckpointWork checkpoints;

  TurnWork(Desk desk, TokenCounter counter, CheckpointWork checkpoints) {
    this.desk = desk;
    this.checkpoints = checkpoints;
    this.counter = counter;
  }

  List<Turn> append(AppendTurns command) {
    new Guard(desk.config().limits()).check(command.turns());
    List<Turn> turns = new ArrayList<>();
    for (NewTurn turn : command.turns()) {
      turns.add(append(command.scope(), turn));
    }
    return List.copyOf(turns);
  }

  private Turn append(Id scopeId, NewTurn draft) {
    Scope scope = desk.view().scope(scopeId);
    Trajectory trajectory = desk.view().storedTrajectory(scope.trajectory());
    trajectory.requireSubject(draft.labels().subject());
    Optional<Turn> same =
        draft.labels().externalId().flatMap(name -> desk.view().turn(scope.trajectory(), name));
    return same.orElseGet(() -> say(trajectory, scope, draft));
  }

  private Turn say(Trajectory trajectory, Scope scope, NewTurn draft) {
    if (!scope.isOpen()) {
      throw MemoryException.scopeClosed(scope.id());
    }
    if (trajectory.status().isTerminal()) {
      throw MemoryException.ended(trajectory);
    }
    Turn turn = turn(trajectory, scope, draft);
    requirePairs(turn);
    desk.emit(new TurnAppended(turn));
    desk.transaction().keepInMind(about(trajectory.id()), Said.of(turn));
    new Retaining(desk).said(turn);
    desk.fire(Trigger.Event.TURN, turn.id(), trajectory.id(), Optional.of(scope.id()));
    checkpoint(trajectory.id());
    return turn;
  }

  private void checkpoint(Id trajectory) {
    if (desk.runtime().pcp().checkpoints().frequency() == PcpConfig.Frequency.PER_TURN) {
      checkpoints.save(SaveCheckpoint.of(trajectory));
    }
  }

  private Turn turn(Trajectory trajectory, Scope scope, NewTurn draft) {
    Optional<Said> newest = newest(trajectory.id());
    Counters before = newest.map(Said::total).orElse(Counters.ZERO).or(trajectory.counters());
    int tokens = draft.counted(counter).tokens().orElseThrow();
    return new Turn(
        desk.newId(),
        trajectory.id(),
        scope.id(),
        sequence(scope, newest),
        before.plus(draft.role(), tokens),
        draft.role(),
        draft.parts(),
        tokens,
        draft.model(),
        new SubjectLabelling(desk).admit(trajectory, draft.labels()),
        desk.now(),
        Optional.empty(),
        Optional.empty());
  }

  /**
   * What a turn has to know of the one before it. That one may be gone by then: what it knew was
   * written down before.
   */
  private record Said(Id scope, int sequence, Counters total) {
    static Said of(Turn turn) {
      return new Said(turn.scope(), turn.sequence(), turn.total());
    }
  }

  private static String about(Id trajectory) {
    return "newest turn of " + trajectory;
  }

  /** Whoever goes on talking need not read what was just said. */
  private Optional<Said> newest(Id trajectory) {
    return desk.transaction()
        .inMind(about(trajectory), Said.class)
        .or(() -> desk.view().newestTurn(trajectory).map(Said::of));
  }

  /**
   * Mostly the newest turn of the trajectory is the newest of the scope; the place of one that is
   * gone is not given again.
   */
  private int sequence(Scope scope, Optional<Said> newest) {
    return newest
        .filter(said -> said.scope().equals(scope.id()))
        .map(said -> Math.max(said.sequence() + 1, scope.turns()))
        .orElseGet(() -> desk.view().turnsSaid(scope));
  }

  /**
   * Every call has an id of its own, and every result an open call, here or earlier in the turn.
   */
  private void requirePairs(Turn turn) {
    List<String> asked = new ArrayList<>();
    List<String> answered = new ArrayList<>();
    for (Part part : turn.parts()) {
      switch (part) {
        case Part.ToolCall(var call, _, _) -> requireNew(turn, call, asked);
        case Part.ToolResult(var call, _, _) -> requireOpen(turn, call, asked, answered);
        case Part.Text _, Part.Data _ -> {}
      }
    }
  }

  private void requireNew(Turn turn, String call, List<String> asked) {
    if (asked.contains(call) || exchange(turn, call).isPresent()) {
      throw MemoryException.repeatedCall(call);
    }
    asked.add(call);
  }

  private void requireOpen(Turn turn, String call, List<String> asked, List<String> answered) {
    boolean open =
        asked.contains(call)
            || exchange(turn, call).filter(found -> found.resultTurn().isEmpty()).isPresent();
    if (!open || answered.contains(call)) {
      throw MemoryException.unpaired(call);
    }
    answered.add(call);
  }

  private Optional<ToolExchange> exchange(Turn turn, String call) {
    return desk.view().toolExchange(turn.trajectory(), call);
  }
}
