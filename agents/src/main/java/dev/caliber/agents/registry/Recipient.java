package dev.caliber.agents.registry;

import dev.caliber.kernel.KernelException;
import java.util.Optional;

/**
 * Recipient of a message or of work: one agent, or the first agent of a type that takes it. With
 * both it is the agent, which must be of that type.
 */
public record Recipient(Optional<AgentId> agent, Optional<String> type) {
  public Recipient {
    if (agent.isEmpty() && type.isEmpty()) {
      throw KernelException.requiredFieldMissing("recipient");
    }
    type.ifPresent(name -> InputChecks.requireName("agent type", name));
  }

  public static Recipient ofAgent(AgentId agent) {
    return new Recipient(Optional.of(agent), Optional.empty());
  }

  public static Recipient ofType(String type) {
    return new Recipient(Optional.empty(), Optional.of(type));
  }

  /** Returns the name of its inbox. */
  public String inbox() {
    return agent.map(Recipient::inboxOf).orElseGet(() -> inboxOf(type.orElseThrow()));
  }

  public static String inboxOf(AgentId agent) {
    return "agent/" + agent;
  }

  public static String inboxOf(String type) {
    return "type/" + type;
  }

  public boolean includes(Agent receiver) {
    return agent.filter(id -> !id.equals(receiver.id())).isEmpty()
        && type.filter(name -> !name.equals(receiver.type())).isEmpty();
  }

  @Override
  public String toString() {
    return agent.map(AgentId::toString).orElseGet(() -> "any " + type.orElseThrow());
  }
}
