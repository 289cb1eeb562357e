package dev.caliber.server.operation;

import dev.caliber.agents.Agents;
import dev.caliber.agents.AgentsView;
import dev.caliber.agents.command.AssignTask;
import dev.caliber.agents.command.RecordHeartbeats;
import dev.caliber.agents.command.RegisterAgent;
import dev.caliber.agents.command.RequiredPermissions;
import dev.caliber.agents.command.TransitionAgent;
import dev.caliber.agents.command.UnregisterAgent;
import dev.caliber.agents.registry.Agent;
import dev.caliber.agents.registry.AgentId;
import dev.caliber.agents.registry.AgentProfile;
import dev.caliber.agents.registry.AgentStatus;
import dev.caliber.agents.registry.Grant;
import dev.caliber.agents.registry.MemoryAccess;
import dev.caliber.kernel.Id;
import dev.caliber.server.settings.ServerConfig.ServerLimits;
import dev.caliber.store.Query;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The operations on registered agents, their status and their relations. */
final class AgentOperations {
  private final Agents agents;
  private final AgentCommandOperations commands;
  private final PageReader pageReader;

  private AgentOperations(ServerModules modules, PageReader pageReader) {
    this.agents = modules.agents();
    this.commands = new AgentCommandOperations(modules.agents());
    this.pageReader = pageReader;
  }

  static List<Operation<?, ?>> operations(ServerModules modules, ServerLimits limits) {
    AgentOperations here = new AgentOperations(modules, PageReader.of(modules, limits));
    return List.of(
        here.commands.operation(
            "register_agent",
            RegisterAgentRequest.class,
            RegisterAgentRequest::command,
            agent -> agent),
        Operation.readOnly("list_agents", ListAgentsRequest.class, here::listAgents)
            .forAgents(RequiredPermissions.NOTHING),
        Operation.readOnly(
                "get_agent",
                GetAgentRequest.class,
                (caller, input) ->
                    here.agents.view(
                        caller.space(), view -> withHeartbeat(view, view.agent(input.agent()))))
            .forAgents(RequiredPermissions.NOTHING),
        here.commands.operation("record_heartbeats", RecordHeartbeats.class),
        here.commands.operation("transition_agent", TransitionAgent.class),
        here.commands.operation("assign_task", AssignTask.class),
        here.commands.operatorOperation(
            "unregister_agent",
            UnregisterAgentRequest.class,
            (caller, input) ->
                new UnregisterAgent(input.agent(), input.giveBack().orElse(false), caller.actor()),
            result -> result),
        Operation.readOnly(
                "get_coordination_status",
                NoInput.class,
                (caller, _) ->
                    here.agents.view(
                        caller.space(), view -> view.coordinationStatus(modules.clock().instant())))
            .forAgents(RequiredPermissions.NOTHING));
  }

  /** The memory permissions of an agent. */
  record MemoryAccessInput(List<Grant> read, List<Grant> write) {}

  /** The registration of an agent. */
  record RegisterAgentRequest(
      AgentId agent,
      String type,
      List<String> capabilities,
      Optional<MemoryAccessInput> access,
      List<String> canDelegateTo,
      Optional<AgentId> reportsTo) {
    RegisterAgent command() {
      MemoryAccess granted =
          access.map(one -> new MemoryAccess(one.read(), one.write())).orElse(MemoryAccess.NONE);
      return new RegisterAgent(
          agent, new AgentProfile(type, capabilities, granted, canDelegateTo, reportsTo));
    }
  }

  /** The filter of the agent list. */
  record ListAgentsRequest(
      Optional<String> type,
      Optional<AgentStatus> status,
      Optional<AgentId> reportsTo,
      Optional<Id> trajectory,
      Optional<Integer> limit,
      Optional<String> cursor)
      implements PageReader.PageRequest {
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

  private PageResponse<AgentWithHeartbeat> listAgents(Caller caller, ListAgentsRequest input) {
    PageResponse<Agent> page = pageReader.read(caller, input.query(), input);
    return agents.view(caller.space(), view -> page.map(one -> withHeartbeat(view, one)));
  }

  private static AgentWithHeartbeat withHeartbeat(AgentsView view, Agent agent) {
    return new AgentWithHeartbeat(agent, view.lastHeartbeat(agent.id()));
  }

  record GetAgentRequest(AgentId agent) {}

  /** The removal of an agent, optionally with the release of its leases and other holdings. */
  record UnregisterAgentRequest(AgentId agent, Optional<Boolean> giveBack) {}
}
