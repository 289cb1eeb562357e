package dev.caliber.agents;

import dev.caliber.kernel.Id;

/** Says what becomes of a handoff. */
public record MoveHandoff(AgentId agent, Id handoff, HandoffStatus.Event event)
    implements AgentCommand<Handoff> {}
