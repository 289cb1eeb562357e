package dev.caliber.server.operation;

import dev.caliber.agents.AgentId;
import dev.caliber.agents.Agents;
import dev.caliber.agents.AgentsErrorCode;
import dev.caliber.agents.Fence;
import dev.caliber.agents.Resource;
import dev.caliber.kernel.CaliberException;
import dev.caliber.store.Transaction;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * The property {@code fence}, which every operation takes that writes in one commit: a lease that
 * has ended refuses the commit.
 *
 * @param agent whose lease it has to be; without one, anybody's with that token
 */
record Fenced(Resource resource, long token, Optional<AgentId> agent) {
  private static final String PROPERTY = "fence";

  static Optional<Fenced> of(JsonNode input) {
    JsonNode given = input.path(PROPERTY);
    return given.isMissingNode() || given.isNull() ? Optional.empty() : Optional.of(read(given));
  }

  private static Fenced read(JsonNode given) {
    try {
      return Inputs.read(given, Fenced.class);
    } catch (CaliberException e) {
      throw ServerException.at("/" + PROPERTY, e);
    }
  }

  /**
   * For operations with several commits, or none: what was checked before one may end before
   * another.
   */
  static void refuse(Operation<?, ?> operation, JsonNode input) {
    if (input.has(PROPERTY)) {
      throw ServerException.invalidInput(
          "/" + PROPERTY,
          "'%s' does not write in one commit, so that no fence can protect it"
              .formatted(operation.name()));
    }
  }

  void check(Transaction transaction) {
    Fence fence = new Fence(resource, token);
    agent.ifPresentOrElse(
        holder -> fence.check(transaction, holder), () -> fence.check(transaction));
  }

  /** Whether it was the fence; whoever has lost its turn has a conflict with who has it now. */
  boolean refused(Agents agents, Caller caller, CaliberException refusal) {
    boolean stale = refusal.code() == AgentsErrorCode.STALE_FENCE;
    agent
        .filter(_ -> stale)
        .ifPresent(
            holder -> agents.refused(caller.space(), holder, new Fence(resource, token), refusal));
    return stale;
  }
}
