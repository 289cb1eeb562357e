package dev.caliber.server.operation;

import dev.caliber.agents.ActingAgent;
import dev.caliber.agents.Agents;
import dev.caliber.agents.Needs;
import dev.caliber.kernel.CaliberException;
import dev.caliber.store.Transaction;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Holds whoever acts as an agent to what that agent is allowed; nobody else is asked anything. */
record AgentGate(Agents agents) {

  /** A call as it came. */
  record Wish<I extends Record>(Operation<I, ?> operation, Caller caller, I input, JsonNode given) {
    Needs needs() {
      Needs needs = operation.needs(input);
      return Fenced.of(given)
          .flatMap(Fenced::agent)
          .map(holder -> needs.and(Needs.speakingFor(List.of(holder))))
          .orElse(needs);
    }
  }

  /** Before anything is done. A refusal is written down. */
  void require(Wish<?> wish) {
    wish.caller()
        .agent()
        .ifPresent(agent -> agents.require(wish.caller().space(), agent, wish.needs()));
  }

  /** Again in its commit, where that can be seen: what an agent may do can have changed since. */
  void again(Transaction transaction, Wish<?> wish) {
    if (wish.caller()
        .agent()
        .filter(agent -> agent.home().equals(transaction.space()))
        .isPresent()) {
      step(transaction, wish);
    }
  }

  /** As a part of a commit; a refusal says what is to be written down afterwards. */
  void step(Transaction transaction, Wish<?> wish) {
    if (wish.caller().agent().isEmpty()) {
      return;
    }
    ActingAgent agent = wish.caller().agent().get();
    try {
      agents.require(transaction, agent, wish.needs());
    } catch (CaliberException refusal) {
      throw ServerException.at(
          "", refusal, () -> agents.refused(agent, wish.operation().name(), refusal));
    }
  }
}
