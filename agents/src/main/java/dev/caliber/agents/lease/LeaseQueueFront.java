package dev.caliber.agents.lease;

import dev.caliber.agents.registry.AgentId;
import dev.caliber.store.Snapshot;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Front of the queue for a resource, as far as one request needs it: it is read in a few steps,
 * however long the queue is.
 *
 * @param holders the first holders
 * @param queue the first entries that could block the request
 * @param ownLease the lease of the requesting agent
 * @param ownEntry the queue entry of the requesting agent
 */
public record LeaseQueueFront(
    LeaseRequest request,
    List<Lease> holders,
    List<LeaseQueueEntry> queue,
    Optional<Lease> ownLease,
    Optional<LeaseQueueEntry> ownEntry) {

  /** Room for the agent's own entry, and for one that shows that there are more than are named. */
  static final int BESIDE = 2;

  /**
   * Reads from a snapshot; expired entries are included.
   *
   * @param named number of blocking agents to name
   */
  public static LeaseQueueFront of(Snapshot snapshot, LeaseRequest leaseRequest, int named) {
    int most = named + BESIDE;
    List<Lease> holders = snapshot.list(Lease.queryByResource(leaseRequest.resource()), most);
    List<LeaseQueueEntry> queue =
        snapshot.list(LeaseQueueEntry.queryBlockingEntries(leaseRequest), most);
    boolean all = leaseRequest.mode() == LeaseMode.EXCLUSIVE && queue.size() < most;
    return new LeaseQueueFront(
        leaseRequest,
        holders,
        queue,
        findOwn(
            holders,
            lease -> lease.holder().equals(leaseRequest.agent()),
            () ->
                holders.size() < most
                    ? Optional.empty()
                    : Lease.find(snapshot, leaseRequest.resource(), leaseRequest.agent())),
        findOwn(
            queue,
            wait -> wait.agent().equals(leaseRequest.agent()),
            () ->
                all
                    ? Optional.empty()
                    : LeaseQueueEntry.find(
                        snapshot, leaseRequest.resource(), leaseRequest.agent())));
  }

  private static <T> Optional<T> findOwn(
      List<T> first, Predicate<T> isOwn, Supplier<Optional<T>> further) {
    return first.stream().filter(isOwn).findFirst().or(further);
  }

  /** Returns whether an entry has expired. */
  public boolean hasExpiredEntry(Instant now) {
    return Stream.concat(holders.stream(), ownLease.stream()).anyMatch(held -> !held.isLive(now))
        || Stream.concat(queue.stream(), ownEntry.stream()).anyMatch(wait -> !wait.isLive(now));
  }

  /** Returns the agent's own lease, if its mode covers the request. */
  public Optional<Lease> sufficientLease() {
    return ownLease.filter(held -> held.mode().covers(request.mode()));
  }

  /**
   * Returns the agent's own entry if its mode covers the request. Requesting a stronger mode moves
   * the agent to the end of the queue.
   */
  public Optional<LeaseQueueEntry> reusableEntry() {
    return ownEntry.filter(wait -> wait.mode().covers(request.mode()));
  }

  public Optional<LeaseQueueEntry> staleEntry() {
    return ownEntry.filter(wait -> !wait.mode().covers(request.mode()));
  }

  /** Returns the first agents that the request has to wait for; empty if it can be granted. */
  public List<AgentId> blockingAgents() {
    List<Lease> known = Stream.concat(ownLease.stream(), holders.stream()).distinct().toList();
    return WaitForGraph.blockingAgents(
        request, known, queue.stream().filter(this::isBefore).toList());
  }

  private boolean isBefore(LeaseQueueEntry wait) {
    return !wait.agent().equals(request.agent())
        && reusableEntry().filter(own -> !wait.isBefore(own)).isEmpty();
  }
}
