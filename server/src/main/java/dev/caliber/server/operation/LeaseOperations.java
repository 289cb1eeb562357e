package dev.caliber.server.operation;

import dev.caliber.agents.AcquireLease;
import dev.caliber.agents.Acquisition;
import dev.caliber.agents.AgentId;
import dev.caliber.agents.Agents;
import dev.caliber.agents.Lease;
import dev.caliber.agents.LeaseMode;
import dev.caliber.agents.LeaseWait;
import dev.caliber.agents.LeaveQueue;
import dev.caliber.agents.Needs;
import dev.caliber.agents.ReleaseLease;
import dev.caliber.agents.RenewLease;
import dev.caliber.agents.Resource;
import dev.caliber.agents.RevokeLease;
import dev.caliber.kernel.Id;
import dev.caliber.server.settings.ServerConfig;
import dev.caliber.store.Query;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** Leases on resources, and the queues for them. */
final class LeaseOperations {
  private final Agents agents;
  private final AgentCommands commands;
  private final InstantSource clock;
  private final Pages pages;

  private LeaseOperations(Rooms rooms, Pages pages) {
    this.agents = rooms.agents();
    this.commands = new AgentCommands(rooms.agents());
    this.clock = rooms.clock();
    this.pages = pages;
  }

  static List<Operation<?, ?>> of(Rooms rooms, ServerConfig.Limits limits) {
    LeaseOperations here = new LeaseOperations(rooms, Pages.of(rooms, limits));
    return List.of(
        here.commands.operation(
            "acquire_lease",
            "Takes a lease on a resource, or a place in its queue; asking again prolongs either.",
            Acquire.class,
            Acquire::command,
            Wished::of),
        here.await(),
        here.commands
            .operation(
                "renew_lease",
                "Prolongs a lease from now on.",
                Renew.class,
                input ->
                    new RenewLease(
                        input.agent(), input.id(), AgentCommands.time("length", input.length())))
            .about(Lease.TABLE, Renew::id),
        here.commands.operation(
            "release_lease",
            "Gives a lease back; only its holder can.",
            Mine.class,
            input -> new ReleaseLease(input.agent(), input.id()),
            Released::new),
        here.revoke(),
        here.commands.operation(
            "leave_queue",
            "Gives up a place in a queue.",
            Leave.class,
            input -> new LeaveQueue(input.agent(), input.resource()),
            Left::new),
        Operation.reading("list_leases", "Leases that are held.", Held.class, here::list)
            .forAgents(Needs.NOTHING),
        Operation.reading(
                "list_lease_waits",
                "Places in queues: of a resource the first in front, else by agent.",
                Waits.class,
                here::waiting)
            .forAgents(Needs.NOTHING));
  }

  /** A wish for a lease; without a length for coordination.lock-timeout. */
  record Acquire(
      AgentId agent,
      Resource resource,
      Optional<LeaseMode> mode,
      Optional<String> length,
      Optional<Boolean> queued) {
    AcquireLease command() {
      return new AcquireLease(
          agent,
          resource,
          mode.orElse(LeaseMode.EXCLUSIVE),
          AgentCommands.time("length", length),
          queued.orElse(false));
    }
  }

  /**
   * Either a lease, or a place and the first who are before it; {@code cut} says there are more.
   */
  record Wished(
      Optional<Lease> lease, Optional<LeaseWait> place, List<AgentId> behind, boolean cut) {
    static Wished of(Acquisition acquisition) {
      return switch (acquisition) {
        case Acquisition.Granted(var lease) ->
            new Wished(Optional.of(lease), Optional.empty(), List.of(), false);
        case Acquisition.Queued(var place, var behind, var cut) ->
            new Wished(Optional.empty(), Optional.of(place), behind, cut);
      };
    }
  }

  /** A wish that waits until it is granted, or only takes its place. */
  record Await(
      AgentId agent,
      Resource resource,
      Optional<LeaseMode> mode,
      Optional<String> length,
      Optional<String> atMost) {
    AcquireLease command() {
      return new Acquire(agent, resource, mode, length, Optional.of(true)).command();
    }
  }

  private Operation<Await, Wished> await() {
    return Operation.<Await, Wished>lasting(
            "await_lease",
            "Takes a place in the queue for a resource and waits, at most so long, until it is granted.",
            Await.class,
            (caller, input) ->
                Wished.of(
                    AgentCommands.waited(
                        () ->
                            agents.await(
                                caller.space(),
                                input.command(),
                                AgentCommands.time("at_most", input.atMost())
                                    .orElse(Duration.ZERO)))))
        .tracedInside()
        .forAgents(input -> Needs.speakingFor(List.of(input.agent())));
  }

  /** A lease to prolong. */
  record Renew(Id id, AgentId agent, Optional<String> length) {}

  /** A lease of an agent. */
  record Mine(Id id, AgentId agent) {}

  /** Whether it was held until now. */
  record Released(boolean released) {}

  /** A lease, whoever holds it. */
  record Revoke(Id id) {}

  private Operation<Revoke, Lease> revoke() {
    return Operation.<Revoke, Lease>writing(
            "revoke_lease",
            "Takes a lease away from its holder, whose writes under it are refused from now on.",
            Revoke.class,
            (transaction, caller, input) ->
                agents.run(transaction, new RevokeLease(input.id(), caller.actor())))
        .about(Lease.TABLE, Revoke::id)
        .whenRefused(
            (caller, input, refusal) ->
                agents.refused(
                    caller.space(), new RevokeLease(input.id(), caller.actor()), refusal))
        .needing(Right.ADMIN);
  }

  /** A place of an agent. */
  record Leave(AgentId agent, Resource resource) {}

  /** Whether there was a place until now. */
  record Left(boolean left) {}

  /** Which leases: on a resource, of a holder, or all. */
  record Held(
      Optional<String> resourceType,
      Optional<String> resourceId,
      Optional<AgentId> holder,
      Optional<Integer> limit,
      Optional<String> cursor) {
    Query<Lease> query() {
      return holder
          .map(agent -> Query.over(Lease.TABLE, "holder").equal(agent.value()))
          .orElseGet(() -> Query.over(Lease.TABLE, "resource", "holder"));
    }
  }

  private Listed<Lease> list(Caller caller, Held held) {
    Optional<Resource> on = resource(held.resourceType(), held.resourceId());
    Query<Lease> query =
        on.filter(_ -> held.holder().isEmpty())
            .map(resource -> held.query().equal(resource.toString()))
            .orElseGet(held::query);
    return pages.read(
        caller,
        query.where(
            lease ->
                lease.isLive(clock.instant())
                    && on.filter(resource -> !resource.equals(lease.resource())).isEmpty()),
        new Pages.Wanted(held.limit(), held.cursor()));
  }

  /** Which places: in the queue of a resource, of an agent, or all. */
  record Waits(
      Optional<String> resourceType,
      Optional<String> resourceId,
      Optional<AgentId> agent,
      Optional<Integer> limit,
      Optional<String> cursor) {}

  private Listed<LeaseWait> waiting(Caller caller, Waits waits) {
    Optional<Resource> of = resource(waits.resourceType(), waits.resourceId());
    Query<LeaseWait> query =
        of.map(
                resource ->
                    Query.over(LeaseWait.TABLE, "resource", "place").equal(resource.toString()))
            .or(
                () ->
                    waits
                        .agent()
                        .map(agent -> Query.over(LeaseWait.TABLE, "agent").equal(agent.value())))
            .orElseGet(() -> Query.over(LeaseWait.TABLE, "resource", "place"));
    return pages.read(
        caller,
        query.where(
            wait ->
                clock.instant().isBefore(wait.keptUntil())
                    && waits.agent().filter(agent -> !agent.equals(wait.agent())).isEmpty()),
        new Pages.Wanted(waits.limit(), waits.cursor()));
  }

  private static Optional<Resource> resource(Optional<String> type, Optional<String> id) {
    if (type.isPresent() != id.isPresent()) {
      throw ServerException.invalidInput(
          "/resource_id", "Wanted a resource by its type and its id, found one of them");
    }
    return type.map(name -> new Resource(name, id.orElseThrow()));
  }
}
