package dev.caliber.agents.command;

import dev.caliber.agents.mail.Message;
import dev.caliber.agents.registry.AgentId;
import dev.caliber.kernel.Id;

/** Returns a message to its inbox at once, for another agent or another try. */
public record ReturnMessage(AgentId agent, Id id) implements AgentCommand<Message> {}
