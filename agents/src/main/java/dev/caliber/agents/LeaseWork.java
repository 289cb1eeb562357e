package dev.caliber.agents;

import dev.caliber.agents.Acquisition.Granted;
import dev.caliber.agents.Acquisition.Queued;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.Limit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Decides who holds what. What has ended is removed by whoever comes next. */
final class LeaseWork {
  private final Desk desk;
  private final Waiting waiting;
  private final Timers timers;

  LeaseWork(Desk desk) {
    this.desk = desk;
    this.waiting = new Waiting(desk.transaction(), desk.now());
    this.timers = new Timers(desk);
  }

  Acquisition acquire(AcquireLease command) {
    desk.acting(command.agent());
    Waiting.Wish wish = new Waiting.Wish(command.agent(), command.resource(), command.mode());
    Duration length = length(command.length());
    List<Lease> holders = cleared(command.resource());
    List<LeaseWait> queue = clearedQueue(command.resource());
    Optional<Lease> mine =
        holders.stream().filter(lease -> lease.holder().equals(command.agent())).findFirst();
    if (mine.filter(lease -> lease.mode().covers(command.mode())).isPresent()) {
      return new Granted(prolonged(mine.get(), length, !queue.isEmpty()));
    }
    List<AgentId> before = Waiting.before(wish, holders, queue);
    if (before.isEmpty()) {
      mine.ifPresent(lease -> desk.transaction().delete(Lease.TABLE, lease.id()));
      leave(placeIn(queue, command.agent()));
      limit("holders", desk.config().leases().holders()).check(holders.size() + 1L);
      return new Granted(granted(command, length));
    }
    if (!command.queued()) {
      throw AgentsException.held(command.resource(), before);
    }
    waiting
        .cycle(wish)
        .ifPresent(
            cycle -> {
              throw AgentsException.deadlock(cycle);
            });
    return new Queued(placed(wish, queue), before);
  }

  Lease renew(RenewLease command) {
    desk.acting(command.agent());
    Lease lease =
        mine(command.agent(), command.lease())
            .orElseThrow(() -> AgentsException.expired(command.lease()));
    if (!lease.isLive(desk.now())) {
      throw AgentsException.expired(command.lease());
    }
    boolean contended = !waiting.queue(lease.resource()).isEmpty();
    return prolonged(lease, length(command.length()), contended);
  }

  boolean release(ReleaseLease command) {
    desk.view().agent(command.agent());
    Optional<Lease> lease = mine(command.agent(), command.lease());
    lease.ifPresent(held -> end(held, "lease_released"));
    return lease.filter(held -> held.isLive(desk.now())).isPresent();
  }

  /** Live or not: who revokes it wants it gone. */
  Lease revoke(RevokeLease command) {
    Lease lease =
        desk.transaction()
            .find(Lease.TABLE, command.lease())
            .orElseThrow(() -> AgentsException.unknown("lease", command.lease()));
    desk.transaction().delete(Lease.TABLE, lease.id());
    desk.trace("lease_revoked", lease.holder(), lease.resource() + " by " + command.by());
    return lease;
  }

  boolean leave(LeaveQueue command) {
    desk.view().agent(command.agent());
    return leave(placeIn(waiting.queue(command.resource()), command.agent()));
  }

  private boolean leave(Optional<LeaseWait> place) {
    place.ifPresent(wait -> desk.transaction().delete(LeaseWait.TABLE, wait.id()));
    return place.isPresent();
  }

  /** Removes leases and places whose time is over; true if there may be more. */
  boolean removeEnded(int batch) {
    List<Lease> ended = desk.view().endedLeases(desk.now(), batch);
    ended.forEach(lease -> end(lease, "lease_expired"));
    List<LeaseWait> left = desk.view().endedWaits(desk.now(), batch);
    left.forEach(wait -> desk.transaction().delete(LeaseWait.TABLE, wait.id()));
    return ended.size() == batch || left.size() == batch;
  }

  /** Who holds it, without those whose time is over. */
  private List<Lease> cleared(Resource resource) {
    Map<Boolean, List<Lease>> all =
        Rows.all(desk.transaction(), Lease.on(resource)).stream()
            .collect(Collectors.partitioningBy(lease -> lease.isLive(desk.now())));
    all.getOrDefault(false, List.of()).forEach(lease -> end(lease, "lease_expired"));
    return all.getOrDefault(true, List.of());
  }

  /** Who waits for it, without those who no longer ask. */
  private List<LeaseWait> clearedQueue(Resource resource) {
    Map<Boolean, List<LeaseWait>> all =
        Rows.all(desk.transaction(), LeaseWait.on(resource)).stream()
            .collect(Collectors.partitioningBy(wait -> wait.isLive(desk.now())));
    all.getOrDefault(false, List.of()).forEach(wait -> leave(Optional.of(wait)));
    return all.getOrDefault(true, List.of());
  }

  private static Optional<LeaseWait> placeIn(List<LeaseWait> queue, AgentId agent) {
    return queue.stream().filter(wait -> wait.agent().equals(agent)).findFirst();
  }

  private static Limit limit(String name, int most) {
    return new Limit("agents.leases." + name, most);
  }

  private void end(Lease lease, String event) {
    desk.transaction().delete(Lease.TABLE, lease.id());
    desk.trace(event, lease.holder(), lease.resource());
  }

  /** The lease, if it is there; somebody else's is refused. */
  private Optional<Lease> mine(AgentId agent, Id id) {
    Optional<Lease> lease = desk.transaction().find(Lease.TABLE, id);
    lease
        .filter(found -> !found.holder().equals(agent))
        .ifPresent(
            found -> {
              throw AgentsException.denied(agent, "use", "the lease of " + found.holder());
            });
    return lease;
  }

  private Lease granted(AcquireLease command, Duration length) {
    Lease lease =
        new Lease(
            desk.newId(),
            command.resource(),
            command.agent(),
            command.mode(),
            desk.transaction().revision(),
            desk.now(),
            desk.now().plus(length));
    desk.put(Lease.TABLE, lease);
    timers.arm(lease.expiresAt());
    desk.trace("lease_acquired", lease.holder(), lease.resource());
    return lease;
  }

  /** Never shortened. While others wait, the whole has an end. */
  private Lease prolonged(Lease lease, Duration length, boolean contended) {
    Instant wanted = desk.now().plus(length);
    Instant last = lease.acquiredAt().plus(desk.config().leases().longest());
    Instant end = contended && wanted.isAfter(last) ? last : wanted;
    return end.isAfter(lease.expiresAt()) ? desk.put(Lease.TABLE, lease.until(end)) : lease;
  }

  private LeaseWait placed(Waiting.Wish wish, List<LeaseWait> queue) {
    Instant end = desk.now().plus(desk.config().leases().place());
    timers.arm(end);
    Optional<LeaseWait> known = placeIn(queue, wish.agent());
    if (known.filter(wait -> wait.mode() == wish.mode()).isPresent()) {
      return desk.put(LeaseWait.TABLE, known.get().until(end));
    }
    boolean left = leave(known);
    limit("queue", desk.config().leases().queue()).check(queue.size() + (left ? 0L : 1L));
    return joined(wish, end);
  }

  private LeaseWait joined(Waiting.Wish wish, Instant end) {
    desk.trace("lease_awaited", wish.agent(), wish.resource());
    return desk.put(
        LeaseWait.TABLE,
        new LeaseWait(
            desk.newId(),
            wish.resource(),
            wish.agent(),
            wish.mode(),
            desk.transaction().revision(),
            desk.now(),
            end));
  }

  private Duration length(Optional<Duration> wanted) {
    Duration longest = desk.config().leases().longest();
    Duration length = wanted.orElse(desk.coordination().lockTimeout());
    if (!length.isPositive() || length.compareTo(longest) > 0) {
      throw KernelException.invalidValue(
          "length of a lease", "more than nothing, at most " + longest, length.toString());
    }
    return length;
  }
}
