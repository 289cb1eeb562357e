package dev.caliber.agents;

import dev.caliber.agents.command.AssignTask;
import dev.caliber.agents.command.RecordHeartbeats;
import dev.caliber.agents.command.RegisterAgent;
import dev.caliber.agents.command.TransitionAgent;
import dev.caliber.agents.command.UnregisterAgent;
import dev.caliber.agents.registry.Agent;
import dev.caliber.agents.registry.AgentId;
import dev.caliber.agents.registry.AgentProfile;
import dev.caliber.agents.registry.AgentStatus;
import dev.caliber.agents.registry.AgentsException;
import dev.caliber.agents.registry.EnumNames;
import dev.caliber.agents.registry.Heartbeat;
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

/** Handles commands that register agents and change their status. */
final class AgentRegistryHandler {
  private final AgentsUnitOfWork unitOfWork;
  private final DueWorkScheduler dueWorkScheduler;

  AgentRegistryHandler(AgentsUnitOfWork agentsUnitOfWork) {
    this.unitOfWork = agentsUnitOfWork;
    this.dueWorkScheduler = new DueWorkScheduler(agentsUnitOfWork);
  }

  Agent register(RegisterAgent command) {
    Optional<Agent> known = unitOfWork.view().findAgent(command.agent());
    Optional<AgentId> before = known.flatMap(old -> old.profile().reportsTo());
    checkProfile(command.profile());
    command
        .profile()
        .reportsTo()
        .filter(superior -> !before.equals(Optional.of(superior)))
        .ifPresent(superior -> requireValidHierarchy(command.agent(), superior));
    Agent agent =
        known
            .map(
                old ->
                    unitOfWork.put(
                        Agent.TABLE, old.withProfile(command.profile(), unitOfWork.now())))
            .orElseGet(() -> insertAgent(command));
    unitOfWork.trace("agent_registered", agent.id(), agent.type());
    return recordSignsOfLife(List.of(agent)).stream().findFirst().orElse(agent);
  }

  /** Inserts an agent that a lookup has just not found. */
  private Agent insertAgent(RegisterAgent command) {
    Agent agent = Agent.of(command.agent(), command.profile(), unitOfWork.now());
    unitOfWork.transaction().insert(Agent.TABLE, agent);
    return agent;
  }

  UnregisterAgent.UnregisterAgentResult unregister(UnregisterAgent command) {
    return new AgentUnregistration(unitOfWork, command).unregister();
  }

  /** Applies a transition. A failed agent that rests is watched again. */
  Agent transition(TransitionAgent command) {
    Agent agent = unitOfWork.view().agent(command.agent());
    if (agent.status() == AgentStatus.FAILED
        && command.event() == AgentStatus.AgentTransition.REST) {
      return recordSignsOfLife(List.of(agent)).getFirst();
    }
    Agent moved = applyTransition(agent, command.event());
    if (moved.status() == AgentStatus.FAILED) {
      unitOfWork.transaction().find(Heartbeat.TABLE, agent.id()).ifPresent(this::markMissed);
    }
    return moved;
  }

  Agent assignTask(AssignTask command) {
    Agent agent = unitOfWork.activeAgent(command.agent());
    Trajectory task = unitOfWork.memoryView().trajectory(command.trajectory());
    if (task.status().isTerminal()) {
      throw MemoryException.trajectoryEnded(task);
    }
    unitOfWork.trace("agent_task_assigned", agent.id(), task.id());
    return new TaskAssignmentRules(unitOfWork).assignTask(agent, task.id());
  }

  RecordHeartbeats.RecordHeartbeatsResult recordHeartbeats(RecordHeartbeats command) {
    new Limit("agents.heartbeats.batch", unitOfWork.config().heartbeats().batch())
        .requireWithin(command.agents().size());
    Map<String, Agent> known = unitOfWork.transaction().findAll(Agent.TABLE, command.agents());
    List<AgentId> unknown =
        command.agents().stream().filter(id -> !known.containsKey(id.value())).toList();
    if (!unknown.isEmpty() && known.isEmpty()) {
      throw AgentsException.notRegistered(unknown.getFirst());
    }
    return new RecordHeartbeats.RecordHeartbeatsResult(
        recordSignsOfLife(known.values()).stream().map(Agent::id).toList(), unknown);
  }

  /** Fails agents without a heartbeat within the grace time; returns their number. */
  int failSilentAgents(int batch) {
    List<Heartbeat> silent =
        unitOfWork
            .view()
            .silentHeartbeats(
                unitOfWork.now().minus(unitOfWork.config().heartbeats().timeout()), batch);
    for (Heartbeat heartbeat : silent) {
      markMissed(heartbeat);
      unitOfWork
          .view()
          .findAgent(heartbeat.agent())
          .ifPresent(agent -> applyTransition(agent, AgentStatus.AgentTransition.FAIL));
    }
    return silent.size();
  }

  private void markMissed(Heartbeat heartbeat) {
    unitOfWork.put(Heartbeat.TABLE, heartbeat.withMissedAt(unitOfWork.now()));
  }

  /**
   * Records heartbeats and watches these agents from now on; returns the failed ones that rest now.
   */
  private List<Agent> recordSignsOfLife(Collection<Agent> agents) {
    List<AgentId> ids = agents.stream().map(Agent::id).toList();
    Map<String, Heartbeat> last = unitOfWork.transaction().findAll(Heartbeat.TABLE, ids);
    List<Heartbeat> beats =
        ids.stream()
            .map(id -> nextHeartbeat(id, Optional.ofNullable(last.get(id.value()))))
            .toList();
    unitOfWork.transaction().putAll(Heartbeat.TABLE, beats);
    if (last.size() < ids.size() || !last.values().stream().allMatch(Heartbeat::isWatched)) {
      dueWorkScheduler.scheduleUnlessSooner(
          unitOfWork.now().plus(unitOfWork.config().heartbeats().timeout()));
    }
    return agents.stream()
        .filter(agent -> agent.status() == AgentStatus.FAILED)
        .map(agent -> applyTransition(agent, AgentStatus.AgentTransition.REST))
        .toList();
  }

  /** Returns the next heartbeat; a clock that is behind does not move it back. */
  private Heartbeat nextHeartbeat(AgentId agent, Optional<Heartbeat> last) {
    Instant at =
        last.map(Heartbeat::at).filter(unitOfWork.now()::isBefore).orElse(unitOfWork.now());
    return new Heartbeat(agent, at, Optional.empty());
  }

  private void checkProfile(AgentProfile agentProfile) {
    TaskAssignmentRules rules = new TaskAssignmentRules(unitOfWork);
    Stream.of(
            agentProfile.capabilities(),
            agentProfile.canDelegateTo(),
            agentProfile.access().read(),
            agentProfile.access().write())
        .forEach(rules::checkItems);
  }

  private Agent applyTransition(Agent agent, AgentStatus.AgentTransition agentTransition) {
    Agent moved =
        unitOfWork.put(Agent.TABLE, agent.withStatusAfter(agentTransition, unitOfWork.now()));
    if (moved.status() != agent.status()) {
      unitOfWork.trace(
          "agent_" + EnumNames.lowerCaseName(moved.status()), agent.id(), agent.type());
    }
    return moved;
  }

  /**
   * Follows the superiors: each must be registered, none may occur twice, and their number is
   * limited.
   */
  private void requireValidHierarchy(AgentId agent, AgentId superior) {
    Limit longest =
        new Limit("agents.hierarchy.max-depth", unitOfWork.config().hierarchy().maxDepth());
    List<AgentId> line = new ArrayList<>(List.of(agent));
    Optional<AgentId> next = Optional.of(superior);
    while (next.isPresent()) {
      line.add(next.get());
      if (line.indexOf(next.get()) < line.size() - 1) {
        throw AgentsException.circularHierarchy(line);
      }
      longest.requireWithin(line.size() - 1L);
      next = unitOfWork.view().agent(next.get()).profile().reportsTo();
    }
  }
}
