package dev.caliber.agents;

import dev.caliber.kernel.Limit;
import dev.caliber.memory.record.MemoryException;
import dev.caliber.memory.record.Trajectory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Decides who there is and what they do. */
final class RegistryWork {
  private final Desk desk;
  private final Alarm alarm;

  RegistryWork(Desk desk) {
    this.desk = desk;
    this.alarm = new Alarm(desk);
  }

  Agent register(RegisterAgent command) {
    Optional<Agent> known = desk.view().find(command.agent());
    Optional<AgentId> before = known.flatMap(old -> old.profile().reportsTo());
    check(command.profile());
    command
        .profile()
        .reportsTo()
        .filter(superior -> !before.equals(Optional.of(superior)))
        .ifPresent(superior -> requireLine(command.agent(), superior));
    Agent agent =
        known
            .map(old -> desk.put(Agent.TABLE, old.as(command.profile(), desk.now())))
            .orElseGet(() -> begun(command));
    desk.trace("agent_registered", agent.id(), agent.type());
    return heard(List.of(agent)).stream().findFirst().orElse(agent);
  }

  /** Nobody of that name was there a moment ago: it is not looked for again. */
  private Agent begun(RegisterAgent command) {
    Agent agent = Agent.registered(command.agent(), command.profile(), desk.now());
    desk.transaction().insert(Agent.TABLE, agent);
    return agent;
  }

  UnregisterAgent.Gone unregister(UnregisterAgent command) {
    return new Departure(desk, command).go();
  }

  /** One that had failed and rests from now on is watched again. */
  Agent move(MoveAgent command) {
    Agent agent = desk.view().agent(command.agent());
    if (agent.status() == AgentStatus.FAILED && command.event() == AgentStatus.Event.REST) {
      return heard(List.of(agent)).getFirst();
    }
    Agent moved = moved(agent, command.event());
    if (moved.status() == AgentStatus.FAILED) {
      desk.transaction().find(Heartbeat.TABLE, agent.id()).ifPresent(this::missed);
    }
    return moved;
  }

  Agent workOn(WorkOn command) {
    Agent agent = desk.acting(command.agent());
    Trajectory task = desk.memoryView().trajectory(command.trajectory());
    if (task.status().isTerminal()) {
      throw MemoryException.ended(task);
    }
    desk.trace("agent_at_task", agent.id(), task.id());
    return new WorkRules(desk).begin(agent, task.id());
  }

  Beat.Heard beat(Beat command) {
    new Limit("agents.heartbeats.batch", desk.config().heartbeats().batch())
        .check(command.agents().size());
    Map<String, Agent> known = desk.transaction().findAll(Agent.TABLE, command.agents());
    List<AgentId> unknown =
        command.agents().stream().filter(id -> !known.containsKey(id.value())).toList();
    if (!unknown.isEmpty() && known.isEmpty()) {
      throw AgentsException.notRegistered(unknown.getFirst());
    }
    return new Beat.Heard(heard(known.values()).stream().map(Agent::id).toList(), unknown);
  }

  /** Fails those that nobody has heard of for too long; how many there were. */
  int failSilent(int batch) {
    List<Heartbeat> silent =
        desk.view().silent(desk.now().minus(desk.config().heartbeats().grace()), batch);
    for (Heartbeat heartbeat : silent) {
      missed(heartbeat);
      desk.view().find(heartbeat.agent()).ifPresent(agent -> moved(agent, AgentStatus.Event.FAIL));
    }
    return silent.size();
  }

  private void missed(Heartbeat heartbeat) {
    desk.put(Heartbeat.TABLE, heartbeat.missed(desk.now()));
  }

  /** Those that had failed and rest now; each of them is watched from now on. */
  private List<Agent> heard(Collection<Agent> agents) {
    List<AgentId> ids = agents.stream().map(Agent::id).toList();
    Map<String, Heartbeat> last = desk.transaction().findAll(Heartbeat.TABLE, ids);
    List<Heartbeat> beats =
        ids.stream().map(id -> beat(id, Optional.ofNullable(last.get(id.value())))).toList();
    desk.transaction().putAll(Heartbeat.TABLE, beats);
    if (last.size() < ids.size() || !last.values().stream().allMatch(Heartbeat::isWatched)) {
      alarm.arm(desk.now().plus(desk.config().heartbeats().grace()));
    }
    return agents.stream()
        .filter(agent -> agent.status() == AgentStatus.FAILED)
        .map(agent -> moved(agent, AgentStatus.Event.REST))
        .toList();
  }

  /** A clock that is behind takes no sign of life back. */
  private Heartbeat beat(AgentId agent, Optional<Heartbeat> last) {
    Instant at = last.map(Heartbeat::at).filter(desk.now()::isBefore).orElse(desk.now());
    return new Heartbeat(agent, at, Optional.empty());
  }

  private void check(Profile profile) {
    WorkRules rules = new WorkRules(desk);
    Stream.of(
            profile.capabilities(),
            profile.canDelegateTo(),
            profile.access().read(),
            profile.access().write())
        .forEach(rules::checkItems);
  }

  private Agent moved(Agent agent, AgentStatus.Event event) {
    Agent moved = desk.put(Agent.TABLE, agent.moved(event, desk.now()));
    if (moved.status() != agent.status()) {
      desk.trace("agent_" + Words.of(moved.status()), agent.id(), agent.type());
    }
    return moved;
  }

  /** Walks up: everyone has to be registered, nobody may come twice, and the line has an end. */
  private void requireLine(AgentId agent, AgentId superior) {
    Limit longest = new Limit("agents.heartbeats.line", desk.config().heartbeats().line());
    List<AgentId> line = new ArrayList<>(List.of(agent));
    Optional<AgentId> next = Optional.of(superior);
    while (next.isPresent()) {
      line.add(next.get());
      if (line.indexOf(next.get()) < line.size() - 1) {
        throw AgentsException.circular(line);
      }
      longest.check(line.size() - 1L);
      next = desk.view().agent(next.get()).profile().reportsTo();
    }
  }
}
