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
import java.util.stream.Stream;

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
    Waiting.Wish wish = new Waiting.Wish(command.agent(), command.resource(), command.mode());
    Duration length = length(command.length());
    List<Lease> holders = cleared(command.resource());
    List<LeaseWait> queue = clearedQueue(command.resource());
    Optional<Lease> mine =
        holders.stream().filter(lease -> lease.holder().equals(command.agent())).findFirst();
    if (mine.filter(lease -> lease.mode().covers(command.mode())).isPresent()) {
      return new Granted(prolonged(mine.get(), length, !queue.isEmpty()));
    }
    Optional<LeaseWait> place = placeIn(queue, command.agent());
    List<LeaseWait> line = isLost(place, wish) ? without(queue, place.get()) : queue;
    List<AgentId> before = Waiting.before(wish, holders, line);
    if (before.isEmpty()) {
      List<Lease> others =
          holders.stream().filter(lease -> !mine.equals(Optional.of(lease))).toList();
      limit("holders", desk.config().leases().holders()).check(others.size() + 1L);
      Lease lease = lease(command, length);
      requireNoCircleAround(lease, others, line);
      mine.ifPresent(shared -> desk.transaction().delete(Lease.TABLE, shared.id()));
      leave(place);
      return new Granted(granted(lease));
    }
    if (!command.queued()) {
      throw AgentsException.held(command.resource(), before);
    }
    requireNoCircle(wish, holders, line);
    limit("queue", desk.config().leases().queue())
        .check(queue.size() + (place.isPresent() ? 0L : 1L));
    return new Queued(placed(wish, place), before);
  }

  private void requireNoCircle(Waiting.Wish wish, List<Lease> holders, List<LeaseWait> line) {
    refuse(waiting.knowing(wish.resource(), holders, line).cycle(wish, search()));
  }

  /** Who holds it and wants all of it waits for each new holder, who may wait for it elsewhere. */
  private void requireNoCircleAround(Lease lease, List<Lease> others, List<LeaseWait> line) {
    List<Lease> holders = Stream.concat(others.stream(), Stream.of(lease)).toList();
    List<LeaseWait> behind =
        line.stream().filter(wait -> !wait.agent().equals(lease.holder())).toList();
    refuse(
        waiting
            .knowing(lease.resource(), holders, behind)
            .cycleAround(lease.holder(), lease.resource(), search()));
  }

  private Limit search() {
    return limit("search", desk.config().leases().search());
  }

  private static void refuse(Optional<List<Waiting.Wish>> circle) {
    circle.ifPresent(
        found -> {
          throw AgentsException.deadlock(found);
        });
  }

  /** A place is for what was asked for or less; who wants more stands behind the others. */
  private static boolean isLost(Optional<LeaseWait> place, Waiting.Wish wish) {
    return place.filter(wait -> !wait.mode().covers(wish.mode())).isPresent();
  }

  private static List<LeaseWait> without(List<LeaseWait> queue, LeaseWait place) {
    return queue.stream().filter(wait -> !wait.equals(place)).toList();
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
    end(lease, "lease_revoked", lease.resource() + " by " + command.by());
    return lease;
  }

  boolean leave(LeaveQueue command) {
    desk.view().agent(command.agent());
    Optional<LeaseWait> place = placeIn(waiting.queue(command.resource()), command.agent());
    place.ifPresent(left -> desk.trace("lease_wait_left", left.agent(), left.resource()));
    return leave(place);
  }

  private boolean leave(Optional<LeaseWait> place) {
    place.ifPresent(wait -> desk.transaction().delete(LeaseWait.TABLE, wait.id()));
    return place.isPresent();
  }

  /** Removes leases and places whose time is over; how many there were. */
  int removeEnded(int batch) {
    List<Lease> ended = desk.view().endedLeases(desk.now(), batch);
    ended.forEach(lease -> end(lease, "lease_expired"));
    List<LeaseWait> left = desk.view().endedWaits(desk.now(), batch);
    left.forEach(wait -> desk.transaction().delete(LeaseWait.TABLE, wait.id()));
    return ended.size() + left.size();
  }

  /** Who holds it, without those whose time is over. */
  private List<Lease> cleared(Resource resource) {
    Map<Boolean, List<Lease>> all =
        desk.rows().all(Lease.on(resource)).stream()
            .collect(Collectors.partitioningBy(lease -> lease.isLive(desk.now())));
    all.getOrDefault(false, List.of()).forEach(lease -> end(lease, "lease_expired"));
    return all.getOrDefault(true, List.of());
  }

  /** Who waits for it, without those who no longer ask. */
  private List<LeaseWait> clearedQueue(Resource resource) {
    Map<Boolean, List<LeaseWait>> all =
        desk.rows().all(LeaseWait.on(resource)).stream()
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

  /** A place that was taken as a holder goes with the lease: without it, others would be before. */
  private void end(Lease lease, String event) {
    end(lease, event, lease.resource());
  }

  private void end(Lease lease, String event, Object about) {
    desk.transaction().delete(Lease.TABLE, lease.id());
    leave(placeIn(desk.rows().all(LeaseWait.on(lease.resource())), lease.holder()));
    desk.trace(event, lease.holder(), about);
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

  private Lease granted(Lease lease) {
    desk.put(Lease.TABLE, lease);
    alarm.arm(lease.expiresAt());
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

  private LeaseWait placed(Waiting.Wish wish, Optional<LeaseWait> place) {
    Instant end = desk.now().plus(desk.config().leases().place());
    alarm.arm(end);
    if (place.isPresent() && !isLost(place, wish)) {
      return desk.put(LeaseWait.TABLE, place.get().kept(wish.mode(), end));
    }
    leave(place);
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
