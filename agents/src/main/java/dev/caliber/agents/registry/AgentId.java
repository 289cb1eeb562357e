package dev.caliber.agents.registry;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/** Name of an agent in its space. Its owner chooses it, so that it survives a restart. */
public record AgentId(@JsonValue String value) implements Comparable<AgentId> {
  /** Actor of what no agent has commanded. */
  public static final AgentId SYSTEM = new AgentId("system");

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public AgentId {
    InputChecks.requireName("agent", value);
  }

  @Override
  public int compareTo(AgentId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
