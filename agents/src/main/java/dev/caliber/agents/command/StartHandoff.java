package dev.caliber.agents.command;

import dev.caliber.agents.delegation.ContextSharing;
import dev.caliber.agents.delegation.Handoff;
import dev.caliber.agents.delegation.HandoffOutline;
import dev.caliber.agents.delegation.SharedRecords;
import dev.caliber.agents.registry.AgentId;
import dev.caliber.agents.registry.Recipient;
import dev.caliber.kernel.Id;
import dev.caliber.memory.context.window.Window;
import java.util.Optional;

/**
 * Hands the agent's task over to another agent.
 *
 * @param snapshot the context window for the receiver; if empty, it is assembled before the commit,
 *     so a larger commit must provide it
 * @param supersedes a handoff without progress; only the superior of its sender or receiver may
 *     supersede it
 */
public record StartHandoff(
    AgentId from,
    Recipient to,
    Id trajectory,
    HandoffOutline outline,
    SharedRecords shared,
    ContextSharing sharing,
    Optional<Id> supersedes,
    Optional<Window> snapshot)
    implements AgentCommand<Handoff> {

  /** Shares only the named records. */
  public static StartHandoff of(
      AgentId from, Recipient to, Id trajectory, HandoffOutline handoffOutline) {
    return new StartHandoff(
        from,
        to,
        trajectory,
        handoffOutline,
        SharedRecords.NOTHING,
        ContextSharing.NEED_TO_KNOW,
        Optional.empty(),
        Optional.empty());
  }

  public StartHandoff withShared(SharedRecords newShared) {
    return new StartHandoff(
        from, to, trajectory, outline, newShared, sharing, supersedes, snapshot);
  }

  public StartHandoff withWholeContext() {
    return new StartHandoff(
        from, to, trajectory, outline, shared, ContextSharing.WHOLE_CONTEXT, supersedes, snapshot);
  }

  public StartHandoff withSuperseded(Id hanging) {
    return new StartHandoff(
        from, to, trajectory, outline, shared, sharing, Optional.of(hanging), snapshot);
  }

  public StartHandoff withSnapshot(Window window) {
    return new StartHandoff(
        from, to, trajectory, outline, shared, sharing, supersedes, Optional.of(window));
  }
}
