package dev.caliber.agents;

import dev.caliber.kernel.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Decides who there is and what they do. */
final class RegistryWork {
  private final Desk desk;
  private final Timers timers;

  RegistryWork(Desk desk) {
    this.desk = desk;
    this.timers = new Timers(desk);
  }

  Agent register(RegisterAgent command) {
    command.profile().reportsTo().ifPresent(superior -> requireLine(command.agent(), superior));
    Agent agent =
        desk.view()
            .find(command.agent())
            .map(known -> known.as(command.profile(), desk.now()))
            .orElseGet(() -> Agent.registered(command.agent(), command.profile(), desk.now()));
    desk.put(Agent.TABLE, agent);
    desk.trace("agent_registered", agent.id(), agent.type());
    heard(agent);
    return desk.view().agent(agent.id());
  }

  Agent move(MoveAgent command) {
    Agent agent = desk.view().agent(command.agent());
    Agent moved = moved(agent, command.event());
    if (moved.status() == AgentStatus.FAILED) {
      desk.transaction().delete(Heartbeat.TABLE, agent.id());
    }
    return moved;
  }

  Agent workOn(WorkOn command) {
    Agent agent = desk.acting(command.agent());
    desk.memoryView().trajectory(command.trajectory());
    desk.trace("agent_at_task", agent.id(), command.trajectory());
    return new WorkRules(desk).begin(agent, command.trajectory());
  }

  List<AgentId> beat(Beat command) {
    new Limit("agents.heartbeats.batch", desk.config().heartbeats().batch())
        .check(command.agents().size());
    return command.agents().stream().filter(id -> heard(desk.view().agent(id))).toList();
  }

  /** Fails those that nobody has heard of for too long; true if there may be more. */
  boolean failSilent(int batch) {
    List<Heartbeat> silent =
        desk.view().silent(desk.now().minus(desk.config().heartbeats().grace()), batch);
    for (Heartbeat heartbeat : silent) {
      desk.transaction().delete(Heartbeat.TABLE, heartbeat.agent());
      desk.view().find(heartbeat.agent()).ifPresent(agent -> moved(agent, AgentStatus.Event.FAIL));
    }
    return silent.size() == batch;
  }

  /** Whether it had failed. */
  private boolean heard(Agent agent) {
    boolean failed = agent.status() == AgentStatus.FAILED;
    if (failed) {
      moved(agent, AgentStatus.Event.REST);
    }
    if (desk.transaction().find(Heartbeat.TABLE, agent.id()).isEmpty()) {
      timers.arm(desk.now().plus(desk.config().heartbeats().grace()));
    }
    desk.put(Heartbeat.TABLE, new Heartbeat(agent.id(), desk.now()));
    return failed;
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
