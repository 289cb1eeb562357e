package dev.caliber.agents;

import dev.caliber.kernel.Id;

/** Puts a dead letter back into its inbox, with all its deliveries before it. */
public record ReviveMessage(Id message) implements AgentCommand<Message> {}
