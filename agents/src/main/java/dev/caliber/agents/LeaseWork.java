package dev.caliber.agents;

import dev.caliber.agents.Acquisition.Granted;
import dev.caliber.agents.Acquisition.Queued;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.Limit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

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
    clear(command.resource());
    Optional<Lease> mine = held(command);
    if (mine.filter(lease -> lease.mode().covers(command.mode())).isPresent()) {
      return new Granted(prolonged(mine.get(), length));
    }
    List<AgentId> before = waiting.before(wish);
    if (before.isEmpty()) {
      mine.ifPresent(lease -> desk.transaction().delete(Lease.TABLE, lease.id()));
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
    return new Queued(placed(wish), before);
  }

  Lease renew(RenewLease command) {
    desk.acting(command.agent());
    Lease lease =
        mine(command.agent(), command.lease())
            .orElseThrow(() -> AgentsException.expired(command.lease()));
    if (!lease.isLive(desk.now())) {
      throw AgentsException.expired(command.lease());
    }
    return prolonged(lease, length(command.length()));
  }

  boolean release(ReleaseLease command) {
    desk.view().agent(command.agent());
    Optional<Lease> lease = mine(command.agent(), command.lease());
    lease.ifPresent(held -> end(held, "lease_released"));
    return lease.filter(held -> held.isLive(desk.now())).isPresent();
  }

  boolean leave(LeaveQueue command) {
    desk.view().agent(command.agent());
    Optional<LeaseWait> place = place(command.agent(), command.resource());
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

  private void clear(Resource resource) {
    Rows.all(desk.transaction(), Lease.on(resource)).stream()
        .filter(lease -> !lease.isLive(desk.now()))
        .forEach(lease -> end(lease, "lease_expired"));
    Rows.all(desk.transaction(), LeaseWait.on(resource)).stream()
        .filter(wait -> !wait.isLive(desk.now()))
        .forEach(wait -> desk.transaction().delete(LeaseWait.TABLE, wait.id()));
  }

  private void end(Lease lease, String event) {
    desk.transaction().delete(Lease.TABLE, lease.id());
    desk.trace(event, lease.holder(), lease.resource());
  }

  private Optional<Lease> held(AcquireLease command) {
    return waiting.holders(command.resource()).stream()
        .filter(lease -> lease.holder().equals(command.agent()))
        .findFirst();
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
    new Limit("agents.leases.holders", desk.config().leases().holders())
        .check(waiting.holders(command.resource()).size() + 1L);
    place(command.agent(), command.resource())
        .ifPresent(wait -> desk.transaction().delete(LeaseWait.TABLE, wait.id()));
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
  private Lease prolonged(Lease lease, Duration length) {
    Instant wanted = desk.now().plus(length);
    Instant last = lease.acquiredAt().plus(desk.config().leases().longest());
    boolean contended = !waiting.queue(lease.resource()).isEmpty();
    Instant end = contended && wanted.isAfter(last) ? last : wanted;
    return end.isAfter(lease.expiresAt()) ? desk.put(Lease.TABLE, lease.until(end)) : lease;
  }

  private Optional<LeaseWait> place(AgentId agent, Resource resource) {
    return Rows.all(desk.transaction(), LeaseWait.of(agent)).stream()
        .filter(wait -> wait.resource().equals(resource))
        .findFirst();
  }

  private LeaseWait placed(Waiting.Wish wish) {
    Instant end = desk.now().plus(desk.config().leases().place());
    Optional<LeaseWait> known =
        place(wish.agent(), wish.resource()).filter(wait -> wait.mode() == wish.mode());
    timers.arm(end);
    return desk.put(
        LeaseWait.TABLE, known.map(wait -> wait.until(end)).orElseGet(() -> joined(wish, end)));
  }

  private LeaseWait joined(Waiting.Wish wish, Instant end) {
    place(wish.agent(), wish.resource())
        .ifPresent(wait -> desk.transaction().delete(LeaseWait.TABLE, wait.id()));
    new Limit("agents.leases.queue", desk.config().leases().queue())
        .check(waiting.queue(wish.resource()).size() + 1L);
    desk.trace("lease_awaited", wish.agent(), wish.resource());
    return new LeaseWait(
        desk.newId(),
        wish.resource(),
        wish.agent(),
        wish.mode(),
        desk.transaction().revision(),
        desk.now(),
        end);
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
