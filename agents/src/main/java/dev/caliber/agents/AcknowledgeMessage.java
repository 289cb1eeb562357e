package dev.caliber.agents;

import dev.caliber.kernel.Id;

/** Says that a message is done; again is harmless. Only who has it can say so. */
public record AcknowledgeMessage(AgentId agent, Id message) implements AgentCommand<Message> {}
