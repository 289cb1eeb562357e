package dev.caliber.agents;

import dev.caliber.agents.registry.Agent;
import dev.caliber.agents.registry.AgentId;
import dev.caliber.agents.registry.AgentStatus;
import dev.caliber.agents.registry.AgentsException;
import dev.caliber.agents.registry.Grant;
import dev.caliber.agents.registry.MemoryAccess;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.config.CoordinationConfig;
import dev.caliber.memory.Memory;
import dev.caliber.memory.event.TraceEvent;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.MemoryKind;
import dev.caliber.memory.view.MemoryView;
import dev.caliber.store.Table;
import dev.caliber.store.Transaction;
import java.time.Instant;
import java.util.Optional;

/** Reads and writes of one commit, with its traces. */
public final class AgentsUnitOfWork {
  /** Actor of due work. */
  private final Transaction transaction;

  private final AgentsConfig config;
  private final AgentsDependencies parts;
  private final AgentsView view;

  public AgentsUnitOfWork(Transaction transaction, AgentsConfig config, AgentsDependencies parts) {
    this.transaction = transaction;
    this.config = config;
    this.parts = parts;
    this.view = AgentsView.of(transaction, config);
  }

  Transaction transaction() {
    return transaction;
  }

  AgentsConfig config() {
    return config;
  }

  CoordinationConfig coordination() {
    return parts.runtime().coordination();
  }

  Memory memory() {
    return parts.memory();
  }

  AgentsDependencies parts() {
    return parts;
  }

  MemoryView memoryView() {
    return MemoryView.of(transaction, parts.memoryConfig());
  }

  AgentsView view() {
    return view;
  }

  Instant now() {
    return transaction.now();
  }

  Id newId() {
    return transaction.newId();
  }

  <T> T put(Table<T> table, T record) {
    transaction.put(table, record);
    return record;
  }

  /** Traces an event of an agent and a record in this commit; the trace quotes no content. */
  void trace(String event, AgentId agent, Object about) {
    transaction.append(TraceEvent.TABLE, traceEvent(transaction, event, agent, about));
  }

  static TraceEvent traceEvent(Transaction transaction, String event, AgentId agent, Object about) {
    return new TraceEvent(
        transaction.newId(),
        Optional.empty(),
        Optional.empty(),
        event,
        EntityRef.agent(agent.value()),
        Optional.of(about.toString()),
        transaction.now(),
        Optional.empty());
  }

  /** Returns a registered agent that has not failed. */
  Agent activeAgent(AgentId id) {
    Agent agent = view.agent(id);
    if (agent.status() == AgentStatus.FAILED) {
      throw AgentsException.agentFailed(id);
    }
    return agent;
  }

  /** Refuses access without a grant. */
  void requireAccess(Agent agent, MemoryAccess.AccessMode accessMode, MemoryKind kind) {
    if (!agent
        .profile()
        .access()
        .allows(accessMode, kind, transaction.space(), transaction.space())) {
      throw AgentsException.accessDenied(
          agent.id(), accessMode.lowerCaseName(), Grant.kindName(kind));
    }
  }
}
