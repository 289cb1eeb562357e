package dev.caliber.agents;

import dev.caliber.agents.MemoryAccess.Access;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.Limit;
import dev.caliber.memory.record.MemoryKind;
import dev.caliber.memory.record.Trajectory;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** What delegation and handoff have in common. */
record WorkRules(Desk desk) {

  void checkText(String text) {
    new Limit("agents.work.text", desk.config().work().text().bytes())
        .check(text.getBytes(StandardCharsets.UTF_8).length);
  }

  void checkItems(List<?> items) {
    new Limit("agents.work.items", desk.config().work().items()).check(items.size());
  }

  /** The records have to be there. */
  void check(Shared shared) {
    checkItems(shared.artifacts());
    checkItems(shared.notes());
    shared.artifacts().forEach(desk.memoryView()::artifact);
    shared.notes().forEach(desk.memoryView()::note);
  }

  /** The receiver may read what crosses. */
  void requireReadable(Shared shared, Agent receiver) {
    if (!shared.artifacts().isEmpty()) {
      desk.requireAccess(receiver, Access.READ, MemoryKind.ARTIFACT);
    }
    if (!shared.notes().isEmpty()) {
      desk.requireAccess(receiver, Access.READ, MemoryKind.NOTE);
    }
  }

  /** The receiver, if it is one agent: then it can be asked now what it may read. */
  Optional<Agent> named(Address to) {
    Optional<Agent> agent = to.agent().map(desk.view()::agent);
    agent
        .filter(found -> !to.includes(found))
        .ifPresent(
            found -> {
              throw AgentsException.denied(found.id(), "receive", "what is for " + to);
            });
    return agent;
  }

  void requireIncluded(Address to, Agent agent, String what) {
    if (!to.includes(agent)) {
      throw AgentsException.denied(agent.id(), "accept", what + " for " + to);
    }
  }

  /** Nobody begins or goes on with what has ended. */
  void requireOpen(Id trajectory, Function<String, AgentsException> refusal) {
    Trajectory task = desk.memoryView().trajectory(trajectory);
    if (task.status().isTerminal()) {
      throw refusal.apply("the task is " + Words.of(task.status()));
    }
  }

  /** The agent is at this task from now on. */
  Agent begin(Agent agent, Id trajectory) {
    Optional<Id> scope = desk.memoryView().currentScope(trajectory).map(found -> found.id());
    Agent busy = agent.moved(AgentStatus.Event.ACTIVATE, desk.now());
    if (busy.status() != agent.status()) {
      desk.trace("agent_" + Words.of(busy.status()), agent.id(), agent.type());
    }
    return desk.put(Agent.TABLE, busy.at(Optional.of(trajectory), scope, desk.now()));
  }

  /** The agent is no longer at this task, if it was. */
  void leave(AgentId id, Id trajectory) {
    desk.view()
        .find(id)
        .filter(agent -> agent.trajectory().filter(trajectory::equals).isPresent())
        .ifPresent(
            agent ->
                desk.put(Agent.TABLE, agent.at(Optional.empty(), Optional.empty(), desk.now())));
  }
}
