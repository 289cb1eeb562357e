package dev.caliber.server.operation;

import dev.caliber.agents.AcquireLease;
import dev.caliber.agents.AcquireLeaseResult;
import dev.caliber.agents.AgentId;
import dev.caliber.agents.Agents;
import dev.caliber.agents.Lease;
import dev.caliber.agents.LeaseMode;
import dev.caliber.agents.LeaseQueueEntry;
import dev.caliber.agents.LeaveLeaseQueue;
import dev.caliber.agents.ReleaseLease;
import dev.caliber.agents.RenewLease;
import dev.caliber.agents.RequiredPermissions;
import dev.caliber.agents.Resource;
import dev.caliber.agents.RevokeLease;
import dev.caliber.kernel.Id;
import dev.caliber.server.settings.ServerConfig;
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

  private LeaseOperations(ServerModules serverModules, PageReader pageReader) {
    this.agents = serverModules.agents();
    this.commands = new AgentCommandOperations(serverModules.agents());
    this.clock = serverModules.clock();
    this.pageReader = pageReader;
  }

  static List<Operation<?, ?>> operations(
      ServerModules serverModules, ServerConfig.ServerLimits serverLimits) {
    LeaseOperations here =
        new LeaseOperations(serverModules, PageReader.of(serverModules, serverLimits));
    return List.of(
        here.commands.operation(
            "acquire_lease",
            "Acquires a lease on a resource, or a place in the lease queue; a repeated call renews the lease or the place.",
            AcquireLeaseRequest.class,
            AcquireLeaseRequest::command,
            AcquireLeaseResponse::of),
        here.awaitOperation(),
        here.commands
            .operation(
                "renew_lease",
                "Renews a lease from now on.",
                RenewLeaseRequest.class,
                input ->
                    new RenewLease(
                        input.agent(),
                        input.id(),
                        AgentCommandOperations.parseDuration("length", input.length())))
            .withTarget(Lease.TABLE, RenewLeaseRequest::id),
        here.commands.operation(
            "release_lease",
            "Releases a lease; only its holder can do this.",
            ReleaseLeaseRequest.class,
            input -> new ReleaseLease(input.agent(), input.id()),
            ReleaseLeaseResponse::new),
        here.revokeOperation(),
        here.commands.operation(
            "leave_lease_queue",
            "Removes an agent from a lease queue.",
            LeaveQueueRequest.class,
            input -> new LeaveLeaseQueue(input.agent(), input.resource()),
            LeaveQueueResponse::new),
        Operation.readOnly(
                "list_leases",
                "Lists the leases that agents hold.",
                ListLeasesRequest.class,
                here::listLeases)
            .forAgents(RequiredPermissions.NOTHING),
        Operation.readOnly(
                "list_lease_queue",
                "Lists the entries of lease queues: for one resource in the order of its queue, else by agent.",
                ListLeaseWaitsRequest.class,
                here::listWaits)
            .forAgents(RequiredPermissions.NOTHING));
  }

  /** The request for a lease; the default length is coordination.lease-duration. */
  record AcquireLeaseRequest(
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
          AgentCommandOperations.parseDuration("length", length),
          queued.orElse(false));
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
      Optional<String> length,
      Optional<String> atMost) {
    AcquireLease command() {
      return new AcquireLeaseRequest(agent, resource, mode, length, Optional.of(true)).command();
    }
  }

  private Operation<AwaitLeaseRequest, AcquireLeaseResponse> awaitOperation() {
    return Operation.<AwaitLeaseRequest, AcquireLeaseResponse>longRunning(
            "await_lease",
            "Enters the lease queue of a resource and waits until the lease is granted, at most for a given time.",
            AwaitLeaseRequest.class,
            (caller, input) ->
                AcquireLeaseResponse.of(
                    AgentCommandOperations.callInterruptibly(
                        () ->
                            agents.awaitLease(
                                caller.space(),
                                input.command(),
                                AgentCommandOperations.parseDuration("at_most", input.atMost())
                                    .orElse(Duration.ZERO)))))
        .withOwnRefusalTrace()
        .forAgents(input -> RequiredPermissions.forAgents(List.of(input.agent())));
  }

  /** The request to renew a lease. */
  record RenewLeaseRequest(Id id, AgentId agent, Optional<String> length) {}

  /** The request to release a lease. */
  record ReleaseLeaseRequest(Id id, AgentId agent) {}

  record ReleaseLeaseResponse(boolean released) {}

  /** The request to revoke a lease of any holder. */
  record RevokeLeaseRequest(Id id) {}

  private Operation<RevokeLeaseRequest, Lease> revokeOperation() {
    return Operation.<RevokeLeaseRequest, Lease>transactional(
            "revoke_lease",
            "Revokes a lease of an agent; writes that name this lease as their fence are refused from then on.",
            RevokeLeaseRequest.class,
            (transaction, caller, input) ->
                agents.run(transaction, new RevokeLease(input.id(), caller.actor())))
        .withTarget(Lease.TABLE, RevokeLeaseRequest::id)
        .withRefusalRecorder(
            (caller, input, refusal) ->
                agents.recordRefusal(
                    caller.space(), new RevokeLease(input.id(), caller.actor()), refusal))
        .withRight(AccessRight.ADMIN);
  }

  /** The request to leave a queue. */
  record LeaveQueueRequest(AgentId agent, Resource resource) {}

  record LeaveQueueResponse(boolean left) {}

  /** The filter of the lease list: by resource, by holder, or all. */
  record ListLeasesRequest(
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

  private PageResponse<Lease> listLeases(Caller caller, ListLeasesRequest listLeasesRequest) {
    Optional<Resource> on =
        toResource(listLeasesRequest.resourceType(), listLeasesRequest.resourceId());
    Query<Lease> query =
        on.filter(_ -> listLeasesRequest.holder().isEmpty())
            .map(resource -> listLeasesRequest.query().equal(resource.toString()))
            .orElseGet(listLeasesRequest::query);
    return pageReader.read(
        caller,
        query.where(
            lease ->
                lease.isLive(clock.instant())
                    && on.filter(resource -> !resource.equals(lease.resource())).isEmpty()),
        new PageReader.PageRequest(listLeasesRequest.limit(), listLeasesRequest.cursor()));
  }

  /** The filter of the queue list: by resource, by agent, or all. */
  record ListLeaseWaitsRequest(
      Optional<String> resourceType,
      Optional<String> resourceId,
      Optional<AgentId> agent,
      Optional<Integer> limit,
      Optional<String> cursor) {}

  private PageResponse<LeaseQueueEntry> listWaits(
      Caller caller, ListLeaseWaitsRequest listLeaseWaitsRequest) {
    Optional<Resource> of =
        toResource(listLeaseWaitsRequest.resourceType(), listLeaseWaitsRequest.resourceId());
    Query<LeaseQueueEntry> query =
        of.map(
                resource ->
                    Query.over(LeaseQueueEntry.TABLE, "resource", "place")
                        .equal(resource.toString()))
            .or(
                () ->
                    listLeaseWaitsRequest
                        .agent()
                        .map(
                            agent ->
                                Query.over(LeaseQueueEntry.TABLE, "agent").equal(agent.value())))
            .orElseGet(() -> Query.over(LeaseQueueEntry.TABLE, "resource", "place"));
    return pageReader.read(
        caller,
        query.where(
            wait ->
                clock.instant().isBefore(wait.keptUntil())
                    && listLeaseWaitsRequest
                        .agent()
                        .filter(agent -> !agent.equals(wait.agent()))
                        .isEmpty()),
        new PageReader.PageRequest(listLeaseWaitsRequest.limit(), listLeaseWaitsRequest.cursor()));
  }

  private static Optional<Resource> toResource(Optional<String> type, Optional<String> id) {
    if (type.isPresent() != id.isPresent()) {
      throw ServerException.invalidInput(
          "/resource_id", "Send both 'resource_type' and 'resource_id', or neither of them");
    }
    return type.map(name -> new Resource(name, id.orElseThrow()));
  }
}
