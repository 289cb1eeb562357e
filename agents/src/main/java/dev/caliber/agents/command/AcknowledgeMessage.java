package dev.caliber.agents.command;

import dev.caliber.agents.mail.Message;
import dev.caliber.agents.registry.AgentId;
import dev.caliber.kernel.Id;

/**
 * Acknowledges a message; repeating it has no effect. Only the agent that claimed the message can
 * acknowledge it. A caller that writes its own results in this transaction first checks whether the
 * message is acknowledged already.
 */
public record AcknowledgeMessage(AgentId agent, Id id) implements AgentCommand<Message> {}
