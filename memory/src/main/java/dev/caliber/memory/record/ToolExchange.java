package dev.caliber.memory.record;

import dev.caliber.kernel.Id;
import dev.caliber.store.Table;
import java.util.Optional;

/**
 * A tool call and its result, by the turns that hold them. There is one for every call, so that a
 * result without a call and a second result are refused, and an open call is seen.
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
          .text("open_in", ToolExchange::openIn)
          .index("open_in");

  /** The id that this call has in its trajectory. */
  public static Id idOf(Id trajectory, String call) {
    return Id.deterministic("tool-exchange", trajectory.toString(), call);
  }

  static ToolExchange asked(Turn turn, Part.ToolCall part) {
    return new ToolExchange(
        idOf(turn.trajectory(), part.call()),
        turn.trajectory(),
        part.call(),
        part.tool(),
        turn.id(),
        Optional.empty());
  }

  /** As a fork has it that goes on where the result was still waited for. */
  public static ToolExchange inherited(Id fork, Part.ToolCall part, Id callTurn) {
    return new ToolExchange(
        idOf(fork, part.call()), fork, part.call(), part.tool(), callTurn, Optional.empty());
  }

  ToolExchange answered(Turn turn) {
    return new ToolExchange(id, trajectory, call, tool, callTurn, Optional.of(turn.id()));
  }

  /** Whether its call or its result is in this turn. */
  public boolean holds(Id turn) {
    return callTurn.equals(turn) || resultTurn.filter(turn::equals).isPresent();
  }

  /** Its result was rolled back: it waits again. */
  ToolExchange reopened() {
    return new ToolExchange(id, trajectory, call, tool, callTurn, Optional.empty());
  }

  private @org.jspecify.annotations.Nullable String openIn() {
    return resultTurn.isPresent() ? null : trajectory.toString();
  }
}
