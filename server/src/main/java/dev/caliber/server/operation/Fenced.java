package dev.caliber.server.operation;

import dev.caliber.agents.AgentId;
import dev.caliber.agents.Agents;
import dev.caliber.agents.AgentsErrorCode;
import dev.caliber.agents.Fence;
import dev.caliber.agents.FencedStore;
import dev.caliber.agents.Resource;
import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Transaction;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The property {@code fence}, which every operation takes that writes: a lease that has ended
 * refuses the commit, or whichever of several comes next.
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

  /** What is left for the operation itself to read. */
  static JsonNode without(JsonNode input) {
    return input.isObject() && input.has(PROPERTY)
        ? ((ObjectNode) input).deepCopy().without(PROPERTY)
        : input;
  }

  /** For operations that write nothing. */
  static void refuse(Operation<?, ?> operation, JsonNode input) {
    if (input.has(PROPERTY)) {
      throw ServerException.invalidInput(
          "/" + PROPERTY,
          "'%s' writes nothing that a fence could protect".formatted(operation.name()));
    }
  }

  /** Checks it in each commit that the work makes to the space. */
  <T> T during(SpaceId space, Supplier<T> work) {
    return FencedStore.during(space, this::check, work);
  }

  void check(Transaction transaction) {
    check(transaction, transaction.now());
  }

  void check(Snapshot snapshot, Instant now) {
    Fence fence = new Fence(resource, token);
    agent.ifPresentOrElse(
        holder -> fence.check(snapshot, now, holder), () -> fence.check(snapshot, now));
  }

  /**
   * Writes down that it was the fence, and says whether it did; whoever has lost its turn has a
   * conflict with who has it now.
   *
   * @param alone whether nothing but the fence can have refused an agent
   */
  boolean refused(Agents agents, Caller caller, CaliberException refusal, boolean alone) {
    boolean mine =
        refusal.code() == AgentsErrorCode.STALE_FENCE
            || (alone && refusal.code() instanceof AgentsErrorCode);
    agent
        .filter(_ -> mine)
        .ifPresent(
            holder -> agents.refused(caller.space(), holder, new Fence(resource, token), refusal));
    return mine;
  }
}
