package dev.caliber.agents;

import dev.caliber.kernel.Id;

/**
 * Says that a message is done; again is harmless. Only who has it can say so. Who writes the work
 * itself in the same transaction looks first whether the message is acknowledged already.
 */
public record AcknowledgeMessage(AgentId agent, Id message) implements AgentCommand<Message> {}
