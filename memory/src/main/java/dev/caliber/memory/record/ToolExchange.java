package dev.caliber.memory.record;

import dev.caliber.kernel.Id;
import dev.caliber.store.Table;
import java.util.Optional;

/**
 * Tool call and its result, by the turns that hold them. Each call has one, so that a result
 * without a call and a second result are refused, and open calls are found.
 */
public record ToolExchange(
    Id id, Id trajectory, String call, String tool, Id callTurn, Optional<Id> resultTurn) {

  public static final Table<ToolExchange> TABLE =
      Table.of(
              "tool_exchange",
              "Tool calls with their results, by turn.",
              ToolExchange.class,
              ToolExchange::id)
          .text("trajectory", exchange -> exchange.trajectory.toString())
          .text("call", ToolExchange::call)
          .text("tool", ToolExchange::tool)
          .text("open_in", ToolExchange::openInTrajectory)
          .index("open_in");

  /** Returns the id of the exchange of this call in its trajectory. */
  public static Id idOf(Id trajectory, String call) {
    return Id.derivedFrom("tool-exchange", trajectory.toString(), call);
  }

  public static ToolExchange ofCall(Turn turn, TurnPart.ToolCallPart part) {
    return new ToolExchange(
        idOf(turn.trajectory(), part.call()),
        turn.trajectory(),
        part.call(),
        part.tool(),
        turn.id(),
        Optional.empty());
  }

  /** Returns the exchange of an open call in a fork. */
  public static ToolExchange ofInheritedCall(Id fork, TurnPart.ToolCallPart part, Id callTurn) {
    return new ToolExchange(
        idOf(fork, part.call()), fork, part.call(), part.tool(), callTurn, Optional.empty());
  }

  public ToolExchange withResult(Turn turn) {
    return new ToolExchange(id, trajectory, call, tool, callTurn, Optional.of(turn.id()));
  }

  /** Returns whether its call or its result is in this turn. */
  public boolean involvesTurn(Id turn) {
    return callTurn.equals(turn) || resultTurn.filter(turn::equals).isPresent();
  }

  /** Returns this exchange without its result, so that the call is open again. */
  public ToolExchange withoutResult() {
    return new ToolExchange(id, trajectory, call, tool, callTurn, Optional.empty());
  }

  private @org.jspecify.annotations.Nullable String openInTrajectory() {
    return resultTurn.isPresent() ? null : trajectory.toString();
  }
}
