package dev.caliber.agents.command;

import dev.caliber.agents.delegation.Handoff;
import dev.caliber.agents.delegation.HandoffStatus;
import dev.caliber.agents.registry.AgentId;
import dev.caliber.kernel.Id;

/** Changes the status of a handoff. */
public record TransitionHandoff(AgentId agent, Id id, HandoffStatus.HandoffTransition event)
    implements AgentCommand<Handoff> {}
