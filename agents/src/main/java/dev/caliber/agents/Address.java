package dev.caliber.agents;

import dev.caliber.kernel.KernelException;
import java.util.Optional;

/**
 * For whom something is: one agent, or whoever of a type takes it first. With both it is for the
 * agent, which has to be of that type.
 */
public record Address(Optional<AgentId> agent, Optional<String> type) {
  public Address {
    if (agent.isEmpty() && type.isEmpty()) {
      throw KernelException.requiredFieldMissing("recipient");
    }
    type.ifPresent(name -> Names.require("agent type", name));
  }

  public static Address agent(AgentId agent) {
    return new Address(Optional.of(agent), Optional.empty());
  }

  public static Address type(String type) {
    return new Address(Optional.empty(), Optional.of(type));
  }

  /** The name of the line in which it waits. */
  String inbox() {
    return agent.map(Address::inboxOf).orElseGet(() -> inboxOf(type.orElseThrow()));
  }

  static String inboxOf(AgentId agent) {
    return "agent/" + agent;
  }

  static String inboxOf(String type) {
    return "type/" + type;
  }

  boolean includes(Agent receiver) {
    return agent.filter(id -> !id.equals(receiver.id())).isEmpty()
        && type.filter(name -> !name.equals(receiver.type())).isEmpty();
  }

  @Override
  public String toString() {
    return agent.map(AgentId::toString).orElseGet(() -> "any " + type.orElseThrow());
  }
}
