package dev.caliber.server.operation;

import dev.caliber.agents.Agent;
import dev.caliber.agents.AgentId;
import dev.caliber.agents.AgentProfile;
import dev.caliber.agents.AgentStatus;
import dev.caliber.agents.Agents;
import dev.caliber.agents.AgentsView;
import dev.caliber.agents.AssignTask;
import dev.caliber.agents.CoordinationStatus;
import dev.caliber.agents.Grant;
import dev.caliber.agents.MemoryAccess;
import dev.caliber.agents.RecordHeartbeats;
import dev.caliber.agents.RegisterAgent;
import dev.caliber.agents.RequiredPermissions;
import dev.caliber.agents.TransitionAgent;
import dev.caliber.agents.UnregisterAgent;
import dev.caliber.kernel.Id;
import dev.caliber.server.settings.ServerConfig;
import dev.caliber.store.Query;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The operations on registered agents, their status and their relations. */
final class AgentOperations {
  private final Agents agents;
  private final AgentCommandOperations commands;
  private final PageReader pageReader;

  private AgentOperations(ServerModules serverModules, PageReader pageReader) {
    this.agents = serverModules.agents();
    this.commands = new AgentCommandOperations(serverModules.agents());
    this.pageReader = pageReader;
  }

  static List<Operation<?, ?>> operations(
      ServerModules serverModules, ServerConfig.ServerLimits serverLimits) {
    AgentOperations here =
        new AgentOperations(serverModules, PageReader.of(serverModules, serverLimits));
    return List.of(
        here.commands.operation(
            "register_agent",
            "Registers an agent or updates its profile; counts as a heartbeat.",
            RegisterAgentRequest.class,
            RegisterAgentRequest::command),
        Operation.readOnly(
                "list_agents",
                "Lists agents by name, each with the time of its last heartbeat.",
                ListAgentsRequest.class,
                here::listAgents)
            .forAgents(RequiredPermissions.NOTHING),
        Operation.<GetAgentRequest, AgentWithHeartbeat>readOnly(
                "get_agent",
                "Returns an agent with the time of its last heartbeat.",
                GetAgentRequest.class,
                (caller, input) -> here.withHeartbeat(caller, input.agent()))
            .forAgents(RequiredPermissions.NOTHING),
        here.commands.operation(
            "record_heartbeats",
            "Records heartbeats of agents; returns the agents that had failed, and the agents that are not registered.",
            HeartbeatsRequest.class,
            input -> new RecordHeartbeats(input.agents()),
            recordHeartbeatsResult ->
                new HeartbeatsResponse(
                    recordHeartbeatsResult.revived(), recordHeartbeatsResult.unknown())),
        here.commands.operation(
            "transition_agent",
            "Changes the status of an agent.",
            MoveAgentRequest.class,
            input -> new TransitionAgent(input.agent(), input.event())),
        here.commands.operation(
            "assign_task",
            "Assigns a task to an agent; the agent becomes active.",
            AssignTaskRequest.class,
            input -> new AssignTask(input.agent(), input.trajectory())),
        here.unregisterOperation(),
        Operation.<CoordinationStatusRequest, CoordinationStatus>readOnly(
                "get_coordination_status",
                "Returns the state of coordination: leases, agents that wait for a lease, and items without progress.",
                CoordinationStatusRequest.class,
                (caller, _) -> here.coordinationStatus(caller, serverModules.clock().instant()))
            .forAgents(RequiredPermissions.NOTHING));
  }

  /** The memory permissions of an agent. */
  record MemoryAccessInput(Optional<List<Grant>> read, Optional<List<Grant>> write) {
    MemoryAccess toMemoryAccess() {
      return new MemoryAccess(read.orElse(List.of()), write.orElse(List.of()));
    }
  }

  /** The registration of an agent. */
  record RegisterAgentRequest(
      AgentId agent,
      String type,
      Optional<List<String>> capabilities,
      Optional<MemoryAccessInput> access,
      Optional<List<String>> canDelegateTo,
      Optional<AgentId> reportsTo) {
    RegisterAgent command() {
      return new RegisterAgent(
          agent,
          new AgentProfile(
              type,
              capabilities.orElse(List.of()),
              access.map(MemoryAccessInput::toMemoryAccess).orElse(MemoryAccess.NONE),
              canDelegateTo.orElse(List.of()),
              reportsTo));
    }
  }

  /** The filter of the agent list. */
  record ListAgentsRequest(
      Optional<String> type,
      Optional<AgentStatus> status,
      Optional<AgentId> reportsTo,
      Optional<Id> trajectory,
      Optional<Integer> limit,
      Optional<String> cursor) {
    Query<Agent> query() {
      return indexQuery().where(this::isMatch);
    }

    private Query<Agent> indexQuery() {
      if (trajectory.isPresent()) {
        return Query.over(Agent.TABLE, "trajectory").equal(trajectory.get());
      }
      if (reportsTo.isPresent()) {
        return Query.over(Agent.TABLE, "reports_to").equal(reportsTo.get().value());
      }
      return type.map(name -> Query.over(Agent.TABLE, "type").equal(name))
          .orElseGet(() -> Query.over(Agent.TABLE));
    }

    private boolean isMatch(Agent agent) {
      return type.filter(name -> !name.equals(agent.type())).isEmpty()
          && status.filter(wanted -> wanted != agent.status()).isEmpty()
          && reportsTo
              .filter(name -> !agent.profile().reportsTo().equals(Optional.of(name)))
              .isEmpty();
    }
  }

  /** An agent and its last heartbeat. */
  record AgentWithHeartbeat(Agent agent, Optional<Instant> heard) {}

  private PageResponse<AgentWithHeartbeat> listAgents(
      Caller caller, ListAgentsRequest listAgentsRequest) {
    PageResponse<Agent> page =
        pageReader.read(
            caller,
            listAgentsRequest.query(),
            new PageReader.PageRequest(listAgentsRequest.limit(), listAgentsRequest.cursor()));
    return new PageResponse<>(
        agents.view(
            caller.space(),
            view -> page.items().stream().map(one -> withHeartbeat(view, one)).toList()),
        page.next());
  }

  private AgentWithHeartbeat withHeartbeat(Caller caller, AgentId agent) {
    return agents.view(caller.space(), view -> withHeartbeat(view, view.agent(agent)));
  }

  private static AgentWithHeartbeat withHeartbeat(AgentsView view, Agent agent) {
    return new AgentWithHeartbeat(agent, view.lastHeartbeat(agent.id()));
  }

  record GetAgentRequest(AgentId agent) {}

  /** The agents that send a heartbeat. */
  record HeartbeatsRequest(List<AgentId> agents) {}

  /** The agents that a heartbeat revived from FAILED to idle, and those that are not registered. */
  record HeartbeatsResponse(List<AgentId> revived, List<AgentId> unknown) {}

  /** A status transition of an agent. */
  record MoveAgentRequest(AgentId agent, AgentStatus.AgentTransition event) {}

  /** The assignment of a task to an agent. */
  record AssignTaskRequest(AgentId agent, Id trajectory) {}

  /** The removal of an agent, optionally with the release of its leases and other holdings. */
  record UnregisterAgentRequest(AgentId agent, Optional<Boolean> giveBack) {
    UnregisterAgent command(Caller caller) {
      return new UnregisterAgent(agent, giveBack.orElse(false), caller.actor());
    }
  }

  private Operation<UnregisterAgentRequest, UnregisterAgent.UnregisterAgentResult>
      unregisterOperation() {
    return Operation.<UnregisterAgentRequest, UnregisterAgent.UnregisterAgentResult>transactional(
            "unregister_agent",
            "Unregisters an agent; with give_back, ends its leases and returns its open work first.",
            UnregisterAgentRequest.class,
            (transaction, caller, input) -> agents.run(transaction, input.command(caller)))
        .withRefusalRecorder(
            (caller, input, refusal) ->
                agents.recordRefusal(caller.space(), input.command(caller), refusal));
  }

  record CoordinationStatusRequest() {}

  private CoordinationStatus coordinationStatus(Caller caller, Instant now) {
    return agents.view(caller.space(), view -> view.coordinationStatus(now));
  }
}
