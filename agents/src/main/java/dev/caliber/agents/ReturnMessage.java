package dev.caliber.agents;

import dev.caliber.kernel.Id;

/** Gives a message back to its inbox at once, for somebody else or for another try. */
public record ReturnMessage(AgentId agent, Id message) implements AgentCommand<Message> {}
