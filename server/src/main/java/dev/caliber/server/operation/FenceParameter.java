package dev.caliber.server.operation;

import dev.caliber.agents.Agents;
import dev.caliber.agents.lease.Fence;
import dev.caliber.agents.lease.FencedStore;
import dev.caliber.agents.lease.Resource;
import dev.caliber.agents.registry.AgentId;
import dev.caliber.agents.registry.AgentsErrorCode;
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
 * The property {@code fence} of every writing operation: the commit, or the next of several, is
 * refused if the lease has ended.
 *
 * @param agent the expected holder of the lease; without one, any holder with that token
 */
record FenceParameter(Resource resource, long token, Optional<AgentId> agent) {
  private static final String PROPERTY = "fence";

  static Optional<FenceParameter> of(JsonNode input) {
    JsonNode given = input.path(PROPERTY);
    return given.isMissingNode() || given.isNull() ? Optional.empty() : Optional.of(parse(given));
  }

  private static FenceParameter parse(JsonNode given) {
    try {
      return InputReader.readRecord(given, FenceParameter.class);
    } catch (CaliberException e) {
      throw ServerException.inPart("/" + PROPERTY, e);
    }
  }

  /** Removes the property, which the operation itself does not know. */
  static JsonNode removeFrom(JsonNode input) {
    return input.isObject() && input.has(PROPERTY)
        ? ((ObjectNode) input).deepCopy().without(PROPERTY)
        : input;
  }

  /** Refuses the property for operations that write nothing. */
  static void requireAbsent(Operation<?, ?> operation, JsonNode input) {
    if (input.has(PROPERTY)) {
      throw ServerException.invalidInput(
          "/" + PROPERTY,
          "The operation '%s' takes no fence, because it writes nothing"
              .formatted(operation.name()));
    }
  }

  /** Checks the fence in each commit of the work to the space. */
  <T> T runFenced(SpaceId space, Supplier<T> work) {
    return FencedStore.withCommitCheck(space, this::checkFence, work);
  }

  void checkFence(Transaction transaction) {
    checkFence(transaction, transaction.now());
  }

  void checkFence(Snapshot snapshot, Instant now) {
    Fence fence = new Fence(resource, token);
    agent.ifPresentOrElse(
        holder -> fence.check(snapshot, now, holder), () -> fence.check(snapshot, now));
  }

  /**
   * Records a conflict with the present holder if the fence caused the refusal; returns whether it
   * did.
   *
   * @param alone whether only the fence can have refused an agent
   */
  boolean recordRefusal(Agents agents, Caller caller, CaliberException refusal, boolean alone) {
    boolean mine =
        refusal.code() == AgentsErrorCode.STALE_FENCE
            || (alone && refusal.code() instanceof AgentsErrorCode);
    agent
        .filter(_ -> mine)
        .ifPresent(
            holder ->
                agents.recordRefusal(caller.space(), holder, new Fence(resource, token), refusal));
    return mine;
  }
}
