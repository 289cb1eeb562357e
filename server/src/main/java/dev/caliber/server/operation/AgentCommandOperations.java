package dev.caliber.server.operation;

import dev.caliber.agents.AgentCommand;
import dev.caliber.agents.Agents;
import dev.caliber.agents.RequiredPermissions;
import dev.caliber.kernel.Durations;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.KernelException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** An adapter from commands of agents to operations, whose refusals leave a trace. */
record AgentCommandOperations(Agents agents) {

  <I extends Record, R> Operation<I, R> operation(
      String name, String summary, Class<I> input, Function<I, AgentCommand<R>> command) {
    return operation(name, summary, input, command, Function.identity());
  }

  <I extends Record, R, O> Operation<I, O> operation(
      String name,
      String summary,
      Class<I> input,
      Function<I, AgentCommand<R>> command,
      Function<R, O> shown) {
    return Operation.<I, O>transactional(
            name,
            summary,
            input,
            (transaction, _, request) ->
                shown.apply(agents.run(transaction, command.apply(request))))
        .withRefusalRecorder(
            (caller, request, refusal) ->
                agents.recordRefusal(caller.space(), command.apply(request), refusal))
        .forAgents(request -> RequiredPermissions.forCommand(command.apply(request)));
  }

  /** A call that waits and can be interrupted. */
  interface InterruptibleCall<T> {
    T call() throws InterruptedException;
  }

  static <T> T callInterruptibly(InterruptibleCall<T> interruptibleCall) {
    try {
      return interruptibleCall.call();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw ServerException.overloaded("server.limits.shutdown-timeout", Duration.ZERO);
    }
  }

  /** Parses a duration such as {@code 30s}. */
  static Optional<Duration> parseDuration(String property, Optional<String> text) {
    return text.map(written -> parseDuration(property, written));
  }

  static Duration parseDuration(String property, String text) {
    try {
      return Durations.parse(property, text);
    } catch (KernelException e) {
      throw ServerException.inPart("/" + property, e);
    }
  }

  /**
   * Returns the JSON value if the input has one; Jackson represents a missing one as a null node.
   */
  static Optional<JsonNode> presentJson(Optional<JsonNode> node) {
    return node.filter(value -> !value.isMissingNode() && !value.isNull());
  }

  /** Returns the record as JSON, with the JSON text at this path parsed. */
  static JsonNode withParsedJson(Record record, String... path) {
    ObjectNode whole = Json.mapper().valueToTree(record);
    ObjectNode holder = whole;
    for (int i = 0; i < path.length - 1; i++) {
      holder = (ObjectNode) holder.path(path[i]);
    }
    JsonNode text = holder.path(path[path.length - 1]);
    if (text.isString()) {
      holder.set(path[path.length - 1], Json.read(text.asString(), JsonNode.class));
    }
    return whole;
  }
}
