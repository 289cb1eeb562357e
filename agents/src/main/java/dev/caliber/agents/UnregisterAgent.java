package dev.caliber.agents;

/**
 * Takes an agent out of the registry. One that has something is refused, unless it is to be given
 * back; nobody may report to it.
 *
 * @param giveBack its leases and places end, its mail expires, its work fails, and what it could
 *     accept is rejected
 * @param by who wants it, as the trace shows it: a person or a program
 */
public record UnregisterAgent(AgentId agent, boolean giveBack, String by)
    implements AgentCommand<UnregisterAgent.Gone> {
  public UnregisterAgent {
    Names.requireFilled("who unregisters an agent", by);
  }

  /**
   * What became of it.
   *
   * @param complete false when it had more than one commit may give back: then ask again
   */
  public record Gone(AgentId agent, boolean complete) {}
}
