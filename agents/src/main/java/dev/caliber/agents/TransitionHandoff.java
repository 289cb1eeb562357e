package dev.caliber.agents;

import dev.caliber.kernel.Id;

/** Changes the status of a handoff. */
public record TransitionHandoff(AgentId agent, Id id, HandoffStatus.HandoffTransition event)
    implements AgentCommand<Handoff> {}
