package dev.caliber.agents.command;

import dev.caliber.agents.mail.Message;
import dev.caliber.agents.registry.InputChecks;
import dev.caliber.kernel.Id;

/**
 * Returns a dead letter to its inbox, with a new count of deliveries and a new lifetime.
 *
 * @param by the person or program that requests it, for the trace
 */
public record RequeueMessage(Id message, String by) implements AgentCommand<Message> {
  public RequeueMessage {
    InputChecks.requireText("requester of a requeued message", by);
  }
}
