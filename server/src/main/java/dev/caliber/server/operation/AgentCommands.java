package dev.caliber.server.operation;

import dev.caliber.agents.AgentCommand;
import dev.caliber.agents.Agents;
import dev.caliber.agents.Needs;
import dev.caliber.kernel.Durations;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.KernelException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Commands of agents as operations: each is part of a commit, and its refusal leaves a trace. */
record AgentCommands(Agents agents) {

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
    return Operation.<I, O>writing(
            name,
            summary,
            input,
            (transaction, _, wish) -> shown.apply(agents.run(transaction, command.apply(wish))))
        .whenRefused(
            (caller, wish, refusal) -> agents.refused(caller.space(), command.apply(wish), refusal))
        .forAgents(wish -> Needs.of(command.apply(wish)));
  }

  /** A call that waits. */
  interface Waiting<T> {
    T call() throws InterruptedException;
  }

  static <T> T waited(Waiting<T> waiting) {
    try {
      return waiting.call();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw ServerException.overloaded("server.limits.stop", Duration.ZERO);
    }
  }

  /** A time as people write it. */
  static Optional<Duration> time(String property, Optional<String> text) {
    return text.map(written -> time(property, written));
  }

  static Duration time(String property, String text) {
    try {
      return Durations.parse(property, text);
    } catch (KernelException e) {
      throw ServerException.at("/" + property, e);
    }
  }

  /** JSON that was said; without it, Jackson gives a node that stands for nothing. */
  static Optional<JsonNode> said(Optional<JsonNode> node) {
    return node.filter(value -> !value.isMissingNode() && !value.isNull());
  }

  /** The record as JSON, with the JSON that it keeps as a text in this place opened. */
  static JsonNode opened(Record record, String... path) {
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
