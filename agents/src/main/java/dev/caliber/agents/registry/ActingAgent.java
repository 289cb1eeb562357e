package dev.caliber.agents.registry;

import dev.caliber.kernel.SpaceId;

/**
 * Agent in whose name a caller acts.
 *
 * @param home the space in which it is registered
 */
public record ActingAgent(SpaceId home, AgentId agent) {
  private static final String SEPARATOR = "/";

  /** Parses a name, or {@code SPACE/NAME} for an agent that is registered in another space. */
  public static ActingAgent parse(String text, SpaceId here) {
    int end = text.indexOf(SEPARATOR);
    return end < 0
        ? new ActingAgent(here, new AgentId(text))
        : new ActingAgent(
            new SpaceId(text.substring(0, end)), new AgentId(text.substring(end + 1)));
  }

  @Override
  public String toString() {
    return home + SEPARATOR + agent;
  }
}
