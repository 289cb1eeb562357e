package dev.caliber.agents.lease;

import dev.caliber.agents.registry.AgentId;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.Limit;
import dev.caliber.store.Query;
import dev.caliber.store.Snapshot;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Wait-for graph of agents as of one snapshot; each resource and each agent is read once. A request
 * waits for incompatible holders and for incompatible earlier entries of the queue. A request by a
 * holder waits for holders alone; otherwise it and the queue would wait for each other.
 */
public final class WaitForGraph {
  private final Snapshot snapshot;
  private final Instant now;
  private final Map<Resource, List<Lease>> holders = new HashMap<>();
  private final Map<Resource, List<LeaseQueueEntry>> queues = new HashMap<>();
  private final Map<AgentId, List<LeaseQueueEntry>> places = new HashMap<>();
  private final Set<Id> lost = new HashSet<>();

  public WaitForGraph(Snapshot snapshot, Instant now) {
    this.snapshot = snapshot;
    this.now = now;
  }

  /** Ignores this queue entry. */
  public WaitForGraph withoutEntry(Optional<LeaseQueueEntry> place) {
    place.map(LeaseQueueEntry::id).ifPresent(lost::add);
    return this;
  }

  /** Assumes that a lease was granted, in place of its holder's lease and queue entry. */
  private void assumeGranted(Lease lease) {
    List<Lease> others =
        liveHolders(lease.resource()).stream()
            .filter(held -> !held.holder().equals(lease.holder()))
            .toList();
    List<LeaseQueueEntry> left =
        liveQueue(lease.resource()).stream()
            .filter(wait -> !wait.agent().equals(lease.holder()))
            .toList();
    holders.put(lease.resource(), Stream.concat(others.stream(), Stream.of(lease)).toList());
    queues.put(lease.resource(), left);
  }

  public List<Lease> liveHolders(Resource resource) {
    return holders.computeIfAbsent(
        resource,
        wanted ->
            snapshot.list(Lease.queryByResource(wanted)).stream()
                .filter(lease -> lease.isLive(now))
                .toList());
  }

  public List<LeaseQueueEntry> liveQueue(Resource resource) {
    return queues.computeIfAbsent(
        resource,
        wanted ->
            snapshot.list(LeaseQueueEntry.queryByResource(wanted)).stream()
                .filter(wait -> wait.isLive(now) && !lost.contains(wait.id()))
                .toList());
  }

  private List<LeaseQueueEntry> queueEntriesOf(AgentId agent) {
    return places.computeIfAbsent(
        agent,
        one ->
            snapshot.list(LeaseQueueEntry.queryByAgent(one)).stream()
                .filter(wait -> wait.isLive(now))
                .toList());
  }

  /** Returns all agents that the request has to wait for, each once. */
  public List<AgentId> blockingAgents(LeaseRequest leaseRequest) {
    return blockingAgents(
        leaseRequest, liveHolders(leaseRequest.resource()), liveQueue(leaseRequest.resource()));
  }

  /** Returns the blocking agents of known holders and queue entries. */
  static List<AgentId> blockingAgents(
      LeaseRequest leaseRequest, List<Lease> holders, List<LeaseQueueEntry> queue) {
    Set<AgentId> before = new LinkedHashSet<>();
    boolean holds = false;
    for (Lease lease : holders) {
      if (lease.holder().equals(leaseRequest.agent())) {
        holds = true;
      } else if (!leaseRequest.mode().isCompatibleWith(lease.mode())) {
        before.add(lease.holder());
      }
    }
    if (!holds) {
      before.addAll(blockingQueuedAgents(leaseRequest, queue));
    }
    return List.copyOf(before);
  }

  private static List<AgentId> blockingQueuedAgents(
      LeaseRequest leaseRequest, List<LeaseQueueEntry> queue) {
    List<AgentId> before = new ArrayList<>();
    for (LeaseQueueEntry wait : queue) {
      if (wait.agent().equals(leaseRequest.agent())) {
        return before;
      }
      if (!leaseRequest.mode().isCompatibleWith(wait.mode())) {
        before.add(wait.agent());
      }
    }
    return before;
  }

  /**
   * Returns the cycle that this request would close, if any: each agent waits for the next, the
   * last for the first.
   */
  public Optional<List<LeaseRequest>> findCycle(LeaseRequest leaseRequest, Limit most) {
    return canBlockOthers(leaseRequest) ? searchCycle(leaseRequest, most) : Optional.empty();
  }

  /** Returns the cycle that a new lease would close by its holder's other requests, if any. */
  public Optional<List<LeaseRequest>> findCycleAfterGrant(Lease lease, Limit most) {
    List<LeaseQueueEntry> elsewhere = queueEntriesElsewhere(lease.holder(), lease.resource());
    if (elsewhere.isEmpty()) {
      return Optional.empty();
    }
    assumeGranted(lease);
    return elsewhere.stream()
        .flatMap(wait -> searchCycle(LeaseRequest.of(wait), most).stream())
        .findFirst();
  }

  private List<LeaseQueueEntry> queueEntriesElsewhere(AgentId agent, Resource here) {
    return queueEntriesOf(agent).stream().filter(wait -> !wait.resource().equals(here)).toList();
  }

  /*
   * Other agents wait only for an agent that holds a lease or precedes them in a queue. A new entry
   * is the last of its queue, and a kept one adds nothing to the check of the entries after it. So
   * an agent without leases and other entries closes no cycle, and the common case of many agents
   * waiting for one resource is cheap.
   */
  private boolean canBlockOthers(LeaseRequest leaseRequest) {
    return !queueEntriesElsewhere(leaseRequest.agent(), leaseRequest.resource()).isEmpty()
        || snapshot
            .first(
                Query.over(Lease.TABLE, "holder")
                    .equal(leaseRequest.agent().value())
                    .where(lease -> lease.isLive(now)))
            .isPresent();
  }

  /** Request, with the one that it was reached from. */
  private record WaitPathStep(LeaseRequest request, @Nullable WaitPathStep previous) {
    List<LeaseRequest> path() {
      List<LeaseRequest> path = new ArrayList<>();
      for (WaitPathStep waitPathStep = this;
          waitPathStep != null;
          waitPathStep = waitPathStep.previous) {
        path.addFirst(waitPathStep.request);
      }
      return path;
    }
  }

  private Optional<List<LeaseRequest>> searchCycle(LeaseRequest leaseRequest, Limit most) {
    Set<AgentId> seen = new HashSet<>();
    Deque<WaitPathStep> open = new ArrayDeque<>(List.of(new WaitPathStep(leaseRequest, null)));
    while (!open.isEmpty()) {
      WaitPathStep waitPathStep = open.removeFirst();
      for (AgentId next : blockingAgents(waitPathStep.request())) {
        if (next.equals(leaseRequest.agent())) {
          return Optional.of(waitPathStep.path());
        }
        if (seen.add(next)) {
          most.requireWithin(seen.size());
          queueEntriesOf(next)
              .forEach(wait -> open.addLast(new WaitPathStep(LeaseRequest.of(wait), waitPathStep)));
        }
      }
    }
    return Optional.empty();
  }
}
