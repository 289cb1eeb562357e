package dev.caliber.agents;

import dev.caliber.kernel.Id;
import dev.caliber.memory.context.Window;
import java.util.Optional;

/**
 * Hands the task that an agent is at to another.
 *
 * @param snapshot the context window that goes with it; without one it is assembled before the
 *     commit, so that inside a larger commit it has to be given
 * @param supersedes a handoff that hangs; only whom its sender or receiver reports to can do so
 */
public record HandOver(
    AgentId from,
    Address to,
    Id trajectory,
    Outline outline,
    Shared shared,
    Sharing sharing,
    Optional<Id> supersedes,
    Optional<Window> snapshot)
    implements AgentCommand<Handoff> {

  /** What is named crosses, and nothing else. */
  public static HandOver of(AgentId from, Address to, Id trajectory, Outline outline) {
    return new HandOver(
        from,
        to,
        trajectory,
        outline,
        Shared.NOTHING,
        Sharing.NEED_TO_KNOW,
        Optional.empty(),
        Optional.empty());
  }

  public HandOver sharing(Shared newShared) {
    return new HandOver(from, to, trajectory, outline, newShared, sharing, supersedes, snapshot);
  }

  public HandOver withWholeContext() {
    return new HandOver(
        from, to, trajectory, outline, shared, Sharing.WHOLE_CONTEXT, supersedes, snapshot);
  }

  public HandOver inPlaceOf(Id hanging) {
    return new HandOver(
        from, to, trajectory, outline, shared, sharing, Optional.of(hanging), snapshot);
  }

  public HandOver with(Window window) {
    return new HandOver(
        from, to, trajectory, outline, shared, sharing, supersedes, Optional.of(window));
  }
}
