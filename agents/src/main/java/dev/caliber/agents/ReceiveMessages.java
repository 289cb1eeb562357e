package dev.caliber.agents;

import java.util.List;

/**
 * Takes the first messages for an agent and for its type. Each goes back unless it is acknowledged
 * in time.
 */
public record ReceiveMessages(AgentId agent, int limit) implements AgentCommand<List<Message>> {}
