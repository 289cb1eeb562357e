package dev.caliber.server.operation;

import dev.caliber.agents.Agents;
import dev.caliber.agents.command.AgentCommand;
import dev.caliber.agents.command.RequiredPermissions;
import dev.caliber.kernel.Json;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** An adapter from commands of agents to operations, whose refusals leave a trace. */
record AgentCommandOperations(Agents agents) {

  /** Returns the operation whose input is the command itself. */
  <C extends Record & AgentCommand<R>, R> Operation<C, R> operation(String name, Class<C> command) {
    return operation(name, command, input -> input, Function.identity());
  }

  /** Returns the operation whose input is the command itself, with another answer. */
  <C extends Record & AgentCommand<R>, R, O> Operation<C, O> operation(
      String name, Class<C> command, Function<R, O> answer) {
    return operation(name, command, input -> input, answer);
  }

  /** Returns the operation for the agent in whose name the command is. */
  <I extends Record, R, O> Operation<I, O> operation(
      String name, Class<I> input, Function<I, AgentCommand<R>> command, Function<R, O> answer) {
    return operatorOperation(name, input, (_, request) -> command.apply(request), answer)
        .forAgents(request -> RequiredPermissions.forCommand(command.apply(request)));
  }

  /** Returns the operation for operators, whose command names the caller. */
  <I extends Record, R, O> Operation<I, O> operatorOperation(
      String name,
      Class<I> input,
      BiFunction<Caller, I, AgentCommand<R>> command,
      Function<R, O> answer) {
    return Operation.<I, O>transactional(
            name,
            input,
            (transaction, caller, request) ->
                answer.apply(agents.run(transaction, command.apply(caller, request))))
        .withRefusalRecorder(
            (caller, request, refusal) ->
                agents.recordRefusal(caller.space(), command.apply(caller, request), refusal));
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
