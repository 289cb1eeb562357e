package dev.caliber.agents;

import dev.caliber.kernel.SpaceId;

/**
 * An agent as whom somebody acts.
 *
 * @param home where it is registered
 */
public record ActingAgent(SpaceId home, AgentId agent) {
  private static final String SEPARATOR = "/";

  /** By its name, or as {@code SPACE/NAME} where it is registered elsewhere than it acts. */
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
