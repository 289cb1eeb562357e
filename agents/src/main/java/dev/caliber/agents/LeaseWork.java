package dev.caliber.agents;

import dev.caliber.agents.Acquisition.Granted;
import dev.caliber.agents.Acquisition.Queued;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.Limit;
import dev.caliber.store.Query;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Decides who holds what. What has ended is removed by whoever comes next. */
final class LeaseWork {
  private final Desk desk;
  private final Waiting waiting;
  private final Alarm alarm;

  LeaseWork(Desk desk) {
    this.desk = desk;
    this.waiting = new Waiting(desk.rows(), desk.now());
    this.alarm = new Alarm(desk);
  }

  Acquisition acquire(AcquireLease command) {
    desk.acting(command.agent());
    Duration length = length(command.length());
    Line line = line(Waiting.Wish.of(command));
    Optional<Lease> enough = line.enough();
    if (enough.isPresent()) {
      return new Granted(prolonged(enough.get(), length));
    }
    List<AgentId> before = line.before();
    if (before.isEmpty()) {
      return new Granted(granted(line, lease(command, length)));
    }
    List<AgentId> named = before.stream().limit(desk.config().leases().named()).toList();
    boolean cut = before.size() > named.size();
    if (!command.queued()) {
      throw AgentsException.held(command.resource(), named, cut);
    }
    return new Queued(queued(line), named, cut);
  }

  /** The front of the line. Where somebody's time is over, all those are removed first. */
  private Line line(Waiting.Wish wish) {
    int named = desk.config().leases().named();
    Line line = Line.of(desk.rows(), wish, named);
    if (!line.hasEnded(desk.now())) {
      return line;
    }
    clear(wish.resource());
    return Line.of(desk.rows(), wish, named);
  }

  private void clear(Resource resource) {
    desk.rows().all(Lease.on(resource)).stream()
        .filter(lease -> !lease.isLive(desk.now()))
        .forEach(lease -> end(lease, "lease_expired"));
    desk.rows().all(LeaseWait.on(resource)).stream()
        .filter(wait -> !wait.isLive(desk.now()))
        .forEach(wait -> leave(Optional.of(wait)));
  }

  /** Who holds it and wants all of it waits for each new holder, who may wait for it elsewhere. */
  private Lease granted(Line line, Lease lease) {
    if (!line.holders().isEmpty() && line.lease().isEmpty()) {
      int most = desk.config().leases().holders();
      requireRoom(new Limit("agents.leases.holders", most), Lease.on(lease.resource()), line);
    }
    refuse(waiting.cycleAround(lease, search()));
    line.lease().ifPresent(shared -> desk.transaction().delete(Lease.TABLE, shared.id()));
    leave(line.place());
    return granted(lease);
  }

  private Lease granted(Lease lease) {
    desk.put(Lease.TABLE, lease);
    alarm.arm(lease.expiresAt());
    desk.trace("lease_acquired", lease.holder(), lease.resource());
    return lease;
  }

  private LeaseWait queued(Line line) {
    refuse(waiting.without(line.lost()).cycle(line.wish(), search()));
    Instant end = desk.now().plus(desk.config().leases().place());
    if (line.kept().isPresent()) {
      return desk.put(LeaseWait.TABLE, line.kept().get().kept(line.wish().mode(), end));
    }
    if (line.place().isEmpty()) {
      int most = desk.config().leases().queue();
      requireRoom(
          new Limit("agents.leases.queue", most), LeaseWait.on(line.wish().resource()), line);
    }
    leave(line.lost());
    return joined(line.wish(), end);
  }

  /** Before somebody is refused, those whose time is over go. */
  private void requireRoom(Limit most, Query<?> there, Line line) {
    if (desk.transaction().count(there) >= most.max()) {
      clear(line.wish().resource());
      most.check(desk.transaction().count(there) + 1);
    }
  }

  private LeaseWait joined(Waiting.Wish wish, Instant end) {
    alarm.arm(end);
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

  private Limit search() {
    return new Limit("agents.leases.search", desk.config().leases().search());
  }

  private static void refuse(Optional<List<Waiting.Wish>> circle) {
    circle.ifPresent(
        found -> {
          throw AgentsException.deadlock(found);
        });
  }

  Lease renew(RenewLease command) {
    desk.acting(command.agent());
    Lease lease =
        mine(command.agent(), command.lease())
            .filter(held -> held.isLive(desk.now()))
            .orElseThrow(() -> AgentsException.expired(command.lease()));
    return prolonged(lease, length(command.length()));
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
    end(lease, "lease_revoked", lease.resource() + " by " + command.by());
    return lease;
  }

  boolean leave(LeaveQueue command) {
    desk.view().agent(command.agent());
    Optional<LeaseWait> place =
        LeaseWait.find(desk.transaction(), command.resource(), command.agent())
            .filter(wait -> wait.isLive(desk.now()));
    place.ifPresent(left -> desk.trace("lease_wait_left", left.agent(), left.resource()));
    return leave(place);
  }

  private boolean leave(Optional<LeaseWait> place) {
    place.ifPresent(wait -> desk.transaction().delete(LeaseWait.TABLE, wait.id()));
    return place.isPresent();
  }

  /** Removes leases and places whose time is over; how many there were. */
  int removeEnded(int batch) {
    int ended = AgentsCleanup.leases(desk.transaction(), desk.view(), batch);
    List<LeaseWait> left = desk.view().endedWaits(desk.now(), batch);
    left.forEach(wait -> desk.transaction().delete(LeaseWait.TABLE, wait.id()));
    return ended + left.size();
  }

  private void end(Lease lease, String event) {
    end(lease, event, lease.resource());
  }

  private void end(Lease lease, String event, Object about) {
    AgentsCleanup.end(desk.transaction(), lease, event, about);
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

  private Lease lease(AcquireLease command, Duration length) {
    return new Lease(
        desk.newId(),
        command.resource(),
        command.agent(),
        command.mode(),
        desk.transaction().revision(),
        desk.now(),
        desk.now().plus(length));
  }

  /** Never shortened. While others wait, the whole has an end. */
  private Lease prolonged(Lease lease, Duration length) {
    Instant wanted = desk.now().plus(length);
    Instant last = lease.acquiredAt().plus(desk.config().leases().longest());
    Instant end = wanted.isAfter(last) && isAwaited(lease.resource()) ? last : wanted;
    return end.isAfter(lease.expiresAt()) ? desk.put(Lease.TABLE, lease.until(end)) : lease;
  }

  private boolean isAwaited(Resource resource) {
    return desk.transaction()
        .first(LeaseWait.on(resource).where(wait -> wait.isLive(desk.now())))
        .isPresent();
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
