package dev.caliber.server.operation;

import dev.caliber.agents.Agent;
import dev.caliber.agents.AgentId;
import dev.caliber.agents.AgentStatus;
import dev.caliber.agents.Agents;
import dev.caliber.agents.AgentsView;
import dev.caliber.agents.Beat;
import dev.caliber.agents.Grant;
import dev.caliber.agents.MemoryAccess;
import dev.caliber.agents.MoveAgent;
import dev.caliber.agents.Needs;
import dev.caliber.agents.Profile;
import dev.caliber.agents.RegisterAgent;
import dev.caliber.agents.Standing;
import dev.caliber.agents.UnregisterAgent;
import dev.caliber.agents.WorkOn;
import dev.caliber.kernel.Id;
import dev.caliber.server.settings.ServerConfig;
import dev.caliber.store.Query;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Who there is, what they do, and how they stand to each other. */
final class AgentOperations {
  private final Agents agents;
  private final AgentCommands commands;
  private final Pages pages;

  private AgentOperations(Rooms rooms, Pages pages) {
    this.agents = rooms.agents();
    this.commands = new AgentCommands(rooms.agents());
    this.pages = pages;
  }

  static List<Operation<?, ?>> of(Rooms rooms, ServerConfig.Limits limits) {
    AgentOperations here = new AgentOperations(rooms, Pages.of(rooms, limits));
    return List.of(
        here.commands.operation(
            "register_agent",
            "Makes an agent known, or says anew what a known one is; a sign of life as well.",
            Register.class,
            Register::command),
        Operation.reading(
                "list_agents",
                "Agents by name, and when each was last heard of.",
                Which.class,
                here::list)
            .forAgents(Needs.NOTHING),
        Operation.<One, Seen>reading(
                "get_agent",
                "An agent, and when it was last heard of.",
                One.class,
                (caller, input) -> here.seen(caller, input.agent()))
            .forAgents(Needs.NOTHING),
        here.commands.operation(
            "beat",
            "Brings signs of life of agents; answers those that had failed, and those unknown.",
            Beats.class,
            input -> new Beat(input.agents()),
            heard -> new Revived(heard.revived(), heard.unknown())),
        here.commands.operation(
            "move_agent",
            "Says what an agent does now.",
            Move.class,
            input -> new MoveAgent(input.agent(), input.event())),
        here.commands.operation(
            "work_on",
            "Says which task an agent is at; it is active from now on.",
            Work.class,
            input -> new WorkOn(input.agent(), input.trajectory())),
        here.unregister(),
        Operation.<All, Standing>reading(
                "standing",
                "Who holds what, who waits for whom, and what is stuck.",
                All.class,
                (caller, _) -> here.standing(caller, rooms.clock().instant()))
            .forAgents(Needs.NOTHING));
  }

  /** What an agent may read and write of memory. */
  record Access(Optional<List<Grant>> read, Optional<List<Grant>> write) {
    MemoryAccess granted() {
      return new MemoryAccess(read.orElse(List.of()), write.orElse(List.of()));
    }
  }

  /** An agent to be made known. */
  record Register(
      AgentId agent,
      String type,
      Optional<List<String>> capabilities,
      Optional<Access> access,
      Optional<List<String>> canDelegateTo,
      Optional<AgentId> reportsTo) {
    RegisterAgent command() {
      return new RegisterAgent(
          agent,
          new Profile(
              type,
              capabilities.orElse(List.of()),
              access.map(Access::granted).orElse(MemoryAccess.NONE),
              canDelegateTo.orElse(List.of()),
              reportsTo));
    }
  }

  /** Which agents. */
  record Which(
      Optional<String> type,
      Optional<AgentStatus> status,
      Optional<AgentId> reportsTo,
      Optional<Id> trajectory,
      Optional<Integer> limit,
      Optional<String> cursor) {
    Query<Agent> query() {
      return walk().where(this::passes);
    }

    private Query<Agent> walk() {
      if (trajectory.isPresent()) {
        return Query.over(Agent.TABLE, "trajectory").equal(trajectory.get());
      }
      if (reportsTo.isPresent()) {
        return Query.over(Agent.TABLE, "reports_to").equal(reportsTo.get().value());
      }
      return type.map(name -> Query.over(Agent.TABLE, "type").equal(name))
          .orElseGet(() -> Query.over(Agent.TABLE));
    }

    private boolean passes(Agent agent) {
      return type.filter(name -> !name.equals(agent.type())).isEmpty()
          && status.filter(wanted -> wanted != agent.status()).isEmpty()
          && reportsTo
              .filter(name -> !agent.profile().reportsTo().equals(Optional.of(name)))
              .isEmpty();
    }
  }

  /** An agent as it is seen from here. */
  record Seen(Agent agent, Optional<Instant> heard) {}

  private Listed<Seen> list(Caller caller, Which which) {
    Listed<Agent> page =
        pages.read(caller, which.query(), new Pages.Wanted(which.limit(), which.cursor()));
    return new Listed<>(
        agents.view(
            caller.space(), view -> page.items().stream().map(one -> seen(view, one)).toList()),
        page.next());
  }

  private Seen seen(Caller caller, AgentId agent) {
    return agents.view(caller.space(), view -> seen(view, view.agent(agent)));
  }

  private static Seen seen(AgentsView view, Agent agent) {
    return new Seen(agent, view.lastHeartbeat(agent.id()));
  }

  /** One agent. */
  record One(AgentId agent) {}

  /** Those who live. */
  record Beats(List<AgentId> agents) {}

  /** Those who had failed and rest from now on, and those that nobody registered. */
  record Revived(List<AgentId> revived, List<AgentId> unknown) {}

  /** What happens to an agent. */
  record Move(AgentId agent, AgentStatus.Event event) {}

  /** A task for an agent. */
  record Work(AgentId agent, Id trajectory) {}

  /** An agent that goes, and whether it gives back what it has. */
  record Unregister(AgentId agent, Optional<Boolean> giveBack) {
    UnregisterAgent command(Caller caller) {
      return new UnregisterAgent(agent, giveBack.orElse(false), caller.actor());
    }
  }

  private Operation<Unregister, UnregisterAgent.Gone> unregister() {
    return Operation.<Unregister, UnregisterAgent.Gone>writing(
            "unregister_agent",
            "Takes an agent out of the registry, if it has nothing or gives it back.",
            Unregister.class,
            (transaction, caller, input) -> agents.run(transaction, input.command(caller)))
        .whenRefused(
            (caller, input, refusal) ->
                agents.refused(caller.space(), input.command(caller), refusal));
  }

  /** Nothing in particular. */
  record All() {}

  private Standing standing(Caller caller, Instant now) {
    return agents.view(caller.space(), view -> view.standing(now));
  }
}
