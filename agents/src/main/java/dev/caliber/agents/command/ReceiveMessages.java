package dev.caliber.agents.command;

import dev.caliber.agents.mail.Message;
import dev.caliber.agents.registry.AgentId;
import dev.caliber.kernel.KernelException;
import java.util.List;

/**
 * Claims the first messages for an agent and for its type. Each returns to its inbox unless it is
 * acknowledged in time.
 */
public record ReceiveMessages(AgentId agent, int limit) implements AgentCommand<List<Message>> {
  public ReceiveMessages {
    if (limit < 1) {
      throw KernelException.invalidValue("limit of messages", "1 or more", Integer.toString(limit));
    }
  }
}
