package dev.caliber.agents;

import dev.caliber.kernel.Id;

/**
 * Puts a dead letter back into its inbox: its deliveries and its time begin anew.
 *
 * @param by who wants it, for the trace
 */
public record ReviveMessage(Id message, String by) implements AgentCommand<Message> {
  public ReviveMessage {
    Names.requireFilled("who revives a message", by);
  }
}
