package dev.caliber.agents;

import dev.caliber.agents.command.AcquireLease;
import dev.caliber.agents.command.AcquireLeaseResult;
import dev.caliber.agents.command.AcquireLeaseResult.GrantedLease;
import dev.caliber.agents.command.AcquireLeaseResult.QueuedLeaseRequest;
import dev.caliber.agents.command.LeaveLeaseQueue;
import dev.caliber.agents.command.ReleaseLease;
import dev.caliber.agents.command.RenewLease;
import dev.caliber.agents.command.RevokeLease;
import dev.caliber.agents.lease.Lease;
import dev.caliber.agents.lease.LeaseQueueEntry;
import dev.caliber.agents.lease.LeaseQueueFront;
import dev.caliber.agents.lease.LeaseRequest;
import dev.caliber.agents.lease.Resource;
import dev.caliber.agents.lease.WaitForGraph;
import dev.caliber.agents.registry.AgentId;
import dev.caliber.agents.registry.AgentsException;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.Limit;
import dev.caliber.store.Query;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Handles commands on leases. The next command on a resource removes its expired entries. */
final class LeaseHandler {
  private final AgentsUnitOfWork unitOfWork;
  private final WaitForGraph waitForGraph;
  private final DueWorkScheduler dueWorkScheduler;

  LeaseHandler(AgentsUnitOfWork agentsUnitOfWork) {
    this.unitOfWork = agentsUnitOfWork;
    this.waitForGraph = new WaitForGraph(agentsUnitOfWork.transaction(), agentsUnitOfWork.now());
    this.dueWorkScheduler = new DueWorkScheduler(agentsUnitOfWork);
  }

  AcquireLeaseResult acquire(AcquireLease command) {
    unitOfWork.activeAgent(command.agent());
    Duration length = leaseDuration(command.length());
    LeaseQueueFront leaseQueueFront = queueFront(command.request());
    Optional<Lease> enough = leaseQueueFront.sufficientLease();
    if (enough.isPresent()) {
      return new GrantedLease(extendLease(enough.get(), length));
    }
    List<AgentId> before = leaseQueueFront.blockingAgents();
    if (before.isEmpty()) {
      return new GrantedLease(grantLease(leaseQueueFront, newLease(command, length)));
    }
    List<AgentId> named =
        before.stream().limit(unitOfWork.config().leases().agentsAheadLimit()).toList();
    boolean cut = before.size() > named.size();
    if (!command.queued()) {
      throw AgentsException.resourceHeld(command.resource().toString(), named, cut);
    }
    return new QueuedLeaseRequest(enqueue(leaseQueueFront), named, cut);
  }

  /**
   * Returns the front of the queue. If it has an expired entry, all expired ones are removed first.
   */
  private LeaseQueueFront queueFront(LeaseRequest leaseRequest) {
    int named = unitOfWork.config().leases().agentsAheadLimit();
    LeaseQueueFront leaseQueueFront =
        LeaseQueueFront.of(unitOfWork.transaction(), leaseRequest, named);
    if (!leaseQueueFront.hasExpiredEntry(unitOfWork.now())) {
      return leaseQueueFront;
    }
    removeExpiredEntries(leaseRequest.resource());
    return LeaseQueueFront.of(unitOfWork.transaction(), leaseRequest, named);
  }

  private void removeExpiredEntries(Resource resource) {
    unitOfWork.transaction().list(Lease.queryByResource(resource)).stream()
        .filter(lease -> !lease.isLive(unitOfWork.now()))
        .forEach(lease -> endLease(lease, "lease_expired"));
    unitOfWork.transaction().list(LeaseQueueEntry.queryByResource(resource)).stream()
        .filter(wait -> !wait.isLive(unitOfWork.now()))
        .forEach(wait -> removeQueueEntry(Optional.of(wait)));
  }

  /**
   * Grants a lease after a check for a deadlock: an agent that upgrades from shared to exclusive
   * waits for this new holder, which may itself wait for a resource of that agent.
   */
  private Lease grantLease(LeaseQueueFront leaseQueueFront, Lease lease) {
    if (!leaseQueueFront.holders().isEmpty() && leaseQueueFront.ownLease().isEmpty()) {
      int most = unitOfWork.config().leases().maxHolders();
      requireCapacity(
          new Limit("agents.leases.max-holders", most),
          Lease.queryByResource(lease.resource()),
          leaseQueueFront);
    }
    refuseDeadlock(waitForGraph.findCycleAfterGrant(lease, searchLimit()));
    leaseQueueFront
        .ownLease()
        .ifPresent(shared -> unitOfWork.transaction().delete(Lease.TABLE, shared.id()));
    removeQueueEntry(leaseQueueFront.ownEntry());
    return saveGrantedLease(lease);
  }

  private Lease saveGrantedLease(Lease lease) {
    unitOfWork.put(Lease.TABLE, lease);
    dueWorkScheduler.scheduleUnlessSooner(lease.expiresAt());
    unitOfWork.trace("lease_acquired", lease.holder(), lease.resource());
    return lease;
  }

  private LeaseQueueEntry enqueue(LeaseQueueFront leaseQueueFront) {
    refuseDeadlock(
        waitForGraph
            .withoutEntry(leaseQueueFront.staleEntry())
            .findCycle(leaseQueueFront.request(), searchLimit()));
    Instant end = unitOfWork.now().plus(unitOfWork.config().leases().queueEntryTimeout());
    if (leaseQueueFront.reusableEntry().isPresent()) {
      return unitOfWork.put(
          LeaseQueueEntry.TABLE,
          leaseQueueFront
              .reusableEntry()
              .get()
              .withModeAndExpiry(leaseQueueFront.request().mode(), end));
    }
    if (leaseQueueFront.ownEntry().isEmpty()) {
      int most = unitOfWork.config().leases().maxQueueLength();
      requireCapacity(
          new Limit("agents.leases.max-queue-length", most),
          LeaseQueueEntry.queryByResource(leaseQueueFront.request().resource()),
          leaseQueueFront);
    }
    removeQueueEntry(leaseQueueFront.staleEntry());
    return addQueueEntry(leaseQueueFront.request(), end);
  }

  /** Refuses when the limit is reached even after removing expired entries. */
  private void requireCapacity(Limit most, Query<?> there, LeaseQueueFront leaseQueueFront) {
    if (unitOfWork.transaction().count(there) >= most.max()) {
      removeExpiredEntries(leaseQueueFront.request().resource());
      most.requireWithin(unitOfWork.transaction().count(there) + 1);
    }
  }

  private LeaseQueueEntry addQueueEntry(LeaseRequest leaseRequest, Instant end) {
    dueWorkScheduler.scheduleUnlessSooner(end);
    unitOfWork.trace("lease_queued", leaseRequest.agent(), leaseRequest.resource());
    return unitOfWork.put(
        LeaseQueueEntry.TABLE,
        new LeaseQueueEntry(
            unitOfWork.newId(),
            leaseRequest.resource(),
            leaseRequest.agent(),
            leaseRequest.mode(),
            unitOfWork.transaction().revision(),
            unitOfWork.now(),
            end));
  }

  private Limit searchLimit() {
    return new Limit(
        "agents.leases.deadlock-search-limit", unitOfWork.config().leases().deadlockSearchLimit());
  }

  private static void refuseDeadlock(Optional<List<LeaseRequest>> circle) {
    circle.ifPresent(
        found -> {
          throw AgentsException.deadlock(
              new AgentsException.Deadlock(
                  found.getFirst().agent(),
                  found.getLast().agent(),
                  found.getFirst().resource().toString()),
              found);
        });
  }

  Lease renew(RenewLease command) {
    unitOfWork.activeAgent(command.agent());
    Lease lease =
        findOwnLease(command.agent(), command.id())
            .filter(held -> held.isLive(unitOfWork.now()))
            .orElseThrow(() -> AgentsException.leaseExpired(command.id()));
    return extendLease(lease, leaseDuration(command.length()));
  }

  boolean release(ReleaseLease command) {
    unitOfWork.view().agent(command.agent());
    Optional<Lease> lease = findOwnLease(command.agent(), command.id());
    lease.ifPresent(held -> endLease(held, "lease_released"));
    return lease.filter(held -> held.isLive(unitOfWork.now())).isPresent();
  }

  /** Revokes a lease, expired or not. */
  Lease revoke(RevokeLease command) {
    Lease lease =
        unitOfWork
            .transaction()
            .find(Lease.TABLE, command.lease())
            .orElseThrow(() -> AgentsException.unknownRecord("lease", command.lease()));
    endLease(lease, "lease_revoked", lease.resource() + " by " + command.by());
    return lease;
  }

  boolean leaveQueue(LeaveLeaseQueue command) {
    unitOfWork.view().agent(command.agent());
    Optional<LeaseQueueEntry> place =
        LeaseQueueEntry.find(unitOfWork.transaction(), command.resource(), command.agent())
            .filter(wait -> wait.isLive(unitOfWork.now()));
    place.ifPresent(left -> unitOfWork.trace("lease_queue_left", left.agent(), left.resource()));
    return removeQueueEntry(place);
  }

  private boolean removeQueueEntry(Optional<LeaseQueueEntry> place) {
    place.ifPresent(wait -> unitOfWork.transaction().delete(LeaseQueueEntry.TABLE, wait.id()));
    return place.isPresent();
  }

  /** Removes expired leases and queue entries; returns their number. */
  int removeExpired(int batch) {
    int ended =
        AgentsCleanup.removeExpiredLeases(unitOfWork.transaction(), unitOfWork.view(), batch);
    List<LeaseQueueEntry> left = unitOfWork.view().expiredQueueEntries(unitOfWork.now(), batch);
    left.forEach(wait -> unitOfWork.transaction().delete(LeaseQueueEntry.TABLE, wait.id()));
    return ended + left.size();
  }

  private void endLease(Lease lease, String event) {
    endLease(lease, event, lease.resource());
  }

  private void endLease(Lease lease, String event, Object about) {
    AgentsCleanup.endLease(unitOfWork.transaction(), lease, event, about);
  }

  /** Returns the lease, if it exists; a lease of another agent is refused. */
  private Optional<Lease> findOwnLease(AgentId agent, Id id) {
    Optional<Lease> lease = unitOfWork.transaction().find(Lease.TABLE, id);
    lease
        .filter(found -> !found.holder().equals(agent))
        .ifPresent(
            found -> {
              throw AgentsException.accessDenied(agent, "use", "the lease of " + found.holder());
            });
    return lease;
  }

  private Lease newLease(AcquireLease command, Duration length) {
    return new Lease(
        unitOfWork.newId(),
        command.resource(),
        command.agent(),
        command.mode(),
        unitOfWork.transaction().revision(),
        unitOfWork.now(),
        unitOfWork.now().plus(length));
  }

  /**
   * Extends a lease and never shortens it. While other agents wait, its total duration is limited.
   */
  private Lease extendLease(Lease lease, Duration length) {
    Instant wanted = unitOfWork.now().plus(length);
    Instant last = lease.acquiredAt().plus(unitOfWork.config().leases().maxDuration());
    Instant end = wanted.isAfter(last) && hasWaiters(lease.resource()) ? last : wanted;
    return end.isAfter(lease.expiresAt())
        ? unitOfWork.put(Lease.TABLE, lease.withExpiry(end))
        : lease;
  }

  private boolean hasWaiters(Resource resource) {
    return unitOfWork
        .transaction()
        .first(
            LeaseQueueEntry.queryByResource(resource).where(wait -> wait.isLive(unitOfWork.now())))
        .isPresent();
  }

  private Duration leaseDuration(Optional<Duration> wanted) {
    Duration longest = unitOfWork.config().leases().maxDuration();
    Duration length = wanted.orElse(unitOfWork.coordination().leaseDuration());
    if (!length.isPositive() || length.compareTo(longest) > 0) {
      throw KernelException.invalidValue(
          "length of a lease", "a positive duration of at most " + longest, length.toString());
    }
    return length;
  }
}
