package dev.caliber.server.operation;

import dev.caliber.agents.Agents;
import dev.caliber.agents.command.AcquireLease;
import dev.caliber.agents.command.AcquireLeaseResult;
import dev.caliber.agents.command.LeaveLeaseQueue;
import dev.caliber.agents.command.ReleaseLease;
import dev.caliber.agents.command.RenewLease;
import dev.caliber.agents.command.RequiredPermissions;
import dev.caliber.agents.command.RevokeLease;
import dev.caliber.agents.lease.Lease;
import dev.caliber.agents.lease.LeaseMode;
import dev.caliber.agents.lease.LeaseQueueEntry;
import dev.caliber.agents.lease.Resource;
import dev.caliber.agents.registry.AgentId;
import dev.caliber.server.operation.TrajectoryOperations.RecordIdRequest;
import dev.caliber.server.settings.ServerConfig.ServerLimits;
import dev.caliber.store.Query;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** The operations on leases and their queues. */
final class LeaseOperations {
  private final Agents agents;
  private final AgentCommandOperations commands;
  private final InstantSource clock;
  private final PageReader pageReader;

  private LeaseOperations(ServerModules modules, PageReader pageReader) {
    this.agents = modules.agents();
    this.commands = new AgentCommandOperations(modules.agents());
    this.clock = modules.clock();
    this.pageReader = pageReader;
  }

  static List<Operation<?, ?>> operations(ServerModules modules, ServerLimits limits) {
    LeaseOperations here = new LeaseOperations(modules, PageReader.of(modules, limits));
    return List.of(
        here.commands.operation(
            "acquire_lease",
            AcquireLeaseRequest.class,
            AcquireLeaseRequest::command,
            AcquireLeaseResponse::of),
        here.awaitOperation(),
        here.commands
            .operation("renew_lease", RenewLease.class)
            .withTarget(Lease.TABLE, RenewLease::id),
        here.commands.operation("release_lease", ReleaseLease.class, ReleaseLeaseResponse::new),
        here.commands
            .operatorOperation(
                "revoke_lease",
                RecordIdRequest.class,
                (caller, input) -> new RevokeLease(input.id(), caller.actor()),
                lease -> lease)
            .withTarget(Lease.TABLE, RecordIdRequest::id),
        here.commands.operation(
            "leave_lease_queue", LeaveLeaseQueue.class, LeaveLeaseQueueResponse::new),
        here.pageReader
            .listOperation("list_leases", ListLeasesRequest.class, here::leases)
            .forAgents(RequiredPermissions.NOTHING),
        here.pageReader
            .listOperation("list_lease_queue", ListLeaseQueueRequest.class, here::queueEntries)
            .forAgents(RequiredPermissions.NOTHING));
  }

  /** The request for a lease; the default length is coordination.lease-duration. */
  record AcquireLeaseRequest(
      AgentId agent,
      Resource resource,
      Optional<LeaseMode> mode,
      Optional<Duration> length,
      Optional<Boolean> queued) {
    AcquireLease command() {
      return new AcquireLease(
          agent, resource, mode.orElse(LeaseMode.EXCLUSIVE), length, queued.orElse(false));
    }
  }

  /**
   * The lease, or the place in the queue with the first entries before it; {@code cut} says that
   * there are more.
   */
  record AcquireLeaseResponse(
      Optional<Lease> lease, Optional<LeaseQueueEntry> place, List<AgentId> behind, boolean cut) {
    static AcquireLeaseResponse of(AcquireLeaseResult acquireLeaseResult) {
      return switch (acquireLeaseResult) {
        case AcquireLeaseResult.GrantedLease(var lease) ->
            new AcquireLeaseResponse(Optional.of(lease), Optional.empty(), List.of(), false);
        case AcquireLeaseResult.QueuedLeaseRequest(var place, var behind, var cut) ->
            new AcquireLeaseResponse(Optional.empty(), Optional.of(place), behind, cut);
      };
    }
  }

  /** The request for a lease with a wait until it is granted. */
  record AwaitLeaseRequest(
      AgentId agent,
      Resource resource,
      Optional<LeaseMode> mode,
      Optional<Duration> length,
      Optional<Duration> atMost) {
    AcquireLease command() {
      return new AcquireLeaseRequest(agent, resource, mode, length, Optional.of(true)).command();
    }
  }

  private Operation<AwaitLeaseRequest, AcquireLeaseResponse> awaitOperation() {
    return Operation.longRunning(
            "await_lease",
            AwaitLeaseRequest.class,
            (caller, input) ->
                AcquireLeaseResponse.of(
                    AgentCommandOperations.callInterruptibly(
                        () ->
                            agents.awaitLease(
                                caller.space(),
                                input.command(),
                                input.atMost().orElse(Duration.ZERO)))))
        .withOwnRefusalTrace()
        .forAgents(input -> RequiredPermissions.forAgents(List.of(input.agent())));
  }

  record ReleaseLeaseResponse(boolean released) {}

  record LeaveLeaseQueueResponse(boolean left) {}

  /** The filter of the lease list: by resource, by holder, or all. */
  record ListLeasesRequest(
      Optional<String> resourceType,
      Optional<String> resourceId,
      Optional<AgentId> holder,
      Optional<Integer> limit,
      Optional<String> cursor)
      implements PageReader.PageRequest {}

  private Query<Lease> leases(ListLeasesRequest input) {
    Optional<Resource> on = toResource(input.resourceType(), input.resourceId());
    Query<Lease> byResource = Query.over(Lease.TABLE, "resource", "holder");
    return input
        .holder()
        .map(agent -> Query.over(Lease.TABLE, "holder").equal(agent.value()))
        .orElse(on.map(resource -> byResource.equal(resource.toString())).orElse(byResource))
        .where(
            lease ->
                lease.isLive(clock.instant())
                    && on.filter(resource -> !resource.equals(lease.resource())).isEmpty());
  }

  /** The filter of the queue list: by resource, by agent, or all. */
  record ListLeaseQueueRequest(
      Optional<String> resourceType,
      Optional<String> resourceId,
      Optional<AgentId> agent,
      Optional<Integer> limit,
      Optional<String> cursor)
      implements PageReader.PageRequest {}

  private Query<LeaseQueueEntry> queueEntries(ListLeaseQueueRequest input) {
    Query<LeaseQueueEntry> byResource = Query.over(LeaseQueueEntry.TABLE, "resource", "place");
    return toResource(input.resourceType(), input.resourceId())
        .map(resource -> byResource.equal(resource.toString()))
        .or(
            () ->
                input
                    .agent()
                    .map(agent -> Query.over(LeaseQueueEntry.TABLE, "agent").equal(agent.value())))
        .orElse(byResource)
        .where(
            entry ->
                clock.instant().isBefore(entry.keptUntil())
                    && input.agent().filter(agent -> !agent.equals(entry.agent())).isEmpty());
  }

  private static Optional<Resource> toResource(Optional<String> type, Optional<String> id) {
    if (type.isPresent() != id.isPresent()) {
      throw ServerException.invalidInput(
          "/resource_id", "Send both 'resource_type' and 'resource_id', or neither of them");
    }
    return type.map(name -> new Resource(name, id.orElseThrow()));
  }
}
