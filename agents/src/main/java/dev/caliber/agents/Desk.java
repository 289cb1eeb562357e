package dev.caliber.agents;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.config.CoordinationConfig;
import dev.caliber.memory.Memory;
import dev.caliber.memory.MemoryView;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.MemoryKind;
import dev.caliber.memory.record.TraceEvent;
import dev.caliber.store.Table;
import dev.caliber.store.Transaction;
import java.time.Instant;
import java.util.Optional;

/** One commit at work: what a decision reads, and how it takes effect and leaves its trace. */
final class Desk {
  /** Who does what happens by itself. */
  static final AgentId SYSTEM = new AgentId("system");

  private final Transaction transaction;
  private final AgentsConfig config;
  private final AgentsParts parts;
  private final AgentsView view;

  Desk(Transaction transaction, AgentsConfig config, AgentsParts parts) {
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

  /** Memory in the agent's name. */
  Memory memory(AgentId agent) {
    return parts.memory().as(agent.value());
  }

  AgentsParts parts() {
    return parts;
  }

  MemoryView memoryView() {
    return MemoryView.of(transaction, parts.memoryConfig());
  }

  AgentsView view() {
    return view;
  }

  Rows rows() {
    return view.rows();
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

  /** Says in this commit what happened, to whom, and to which record; it quotes nothing. */
  void trace(String event, AgentId agent, Object about) {
    transaction.append(TraceEvent.TABLE, traced(transaction, event, agent, about));
  }

  static TraceEvent traced(Transaction transaction, String event, AgentId agent, Object about) {
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

  /** One that is registered and has not failed. */
  Agent acting(AgentId id) {
    Agent agent = view.agent(id);
    if (agent.status() == AgentStatus.FAILED) {
      throw AgentsException.failed(id);
    }
    return agent;
  }

  /** Refuses what the agent was not granted. */
  void requireAccess(Agent agent, MemoryAccess.Access access, MemoryKind kind) {
    if (!agent.profile().access().allows(access, kind, transaction.space(), transaction.space())) {
      throw AgentsException.denied(agent.id(), access.word(), Grant.word(kind));
    }
  }
}
