package dev.caliber.agents;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.Limit;
import dev.caliber.store.Query;
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
 * Who waits for whom, as of one snapshot; each resource and each agent is read once. A wish waits
 * for the holders that it does not fit, and for those before it in the queue that it does not fit;
 * one who holds the resource already waits for holders alone, or those behind it would wait for it
 * and it for them.
 */
final class Waiting {
  private final Rows rows;
  private final Instant now;
  private final Map<Resource, List<Lease>> holders = new HashMap<>();
  private final Map<Resource, List<LeaseWait>> queues = new HashMap<>();
  private final Map<AgentId, List<LeaseWait>> places = new HashMap<>();
  private final Set<Id> lost = new HashSet<>();

  Waiting(Rows rows, Instant now) {
    this.rows = rows;
    this.now = now;
  }

  /** A wish for a resource, made or about to be. */
  record Wish(AgentId agent, Resource resource, LeaseMode mode) {
    static Wish of(LeaseWait wait) {
      return new Wish(wait.agent(), wait.resource(), wait.mode());
    }

    static Wish of(AcquireLease command) {
      return new Wish(command.agent(), command.resource(), command.mode());
    }

    @Override
    public String toString() {
      return "%s waits for %s".formatted(agent, resource);
    }
  }

  /** As if this place were lost already. */
  Waiting without(Optional<LeaseWait> place) {
    place.map(LeaseWait::id).ifPresent(lost::add);
    return this;
  }

  /** As if it were granted already, in place of what its holder had and of where it stood. */
  private void imagine(Lease lease) {
    List<Lease> others =
        holders(lease.resource()).stream()
            .filter(held -> !held.holder().equals(lease.holder()))
            .toList();
    List<LeaseWait> left =
        queue(lease.resource()).stream()
            .filter(wait -> !wait.agent().equals(lease.holder()))
            .toList();
    holders.put(lease.resource(), Stream.concat(others.stream(), Stream.of(lease)).toList());
    queues.put(lease.resource(), left);
  }

  List<Lease> holders(Resource resource) {
    return holders.computeIfAbsent(
        resource,
        wanted -> rows.all(Lease.on(wanted)).stream().filter(lease -> lease.isLive(now)).toList());
  }

  List<LeaseWait> queue(Resource resource) {
    return queues.computeIfAbsent(
        resource,
        wanted ->
            rows.all(LeaseWait.on(wanted)).stream()
                .filter(wait -> wait.isLive(now) && !lost.contains(wait.id()))
                .toList());
  }

  /** The places that an agent has. */
  private List<LeaseWait> places(AgentId agent) {
    return places.computeIfAbsent(
        agent,
        one -> rows.all(LeaseWait.of(one)).stream().filter(wait -> wait.isLive(now)).toList());
  }

  /** Everyone that the wish has to wait for, each once. */
  List<AgentId> before(Wish wish) {
    return before(wish, holders(wish.resource()), queue(wish.resource()));
  }

  /** The same, where holders and queue are known. */
  static List<AgentId> before(Wish wish, List<Lease> holders, List<LeaseWait> queue) {
    Set<AgentId> before = new LinkedHashSet<>();
    boolean holds = false;
    for (Lease lease : holders) {
      if (lease.holder().equals(wish.agent())) {
        holds = true;
      } else if (!wish.mode().fits(lease.mode())) {
        before.add(lease.holder());
      }
    }
    if (!holds) {
      before.addAll(queued(wish, queue));
    }
    return List.copyOf(before);
  }

  private static List<AgentId> queued(Wish wish, List<LeaseWait> queue) {
    List<AgentId> before = new ArrayList<>();
    for (LeaseWait wait : queue) {
      if (wait.agent().equals(wish.agent())) {
        return before;
      }
      if (!wish.mode().fits(wait.mode())) {
        before.add(wait.agent());
      }
    }
    return before;
  }

  /**
   * The circle that this wish would close, if any: each waits for the next, the last for the first.
   */
  Optional<List<Wish>> cycle(Wish wish, Limit most) {
    return isInTheWay(wish) ? search(wish, most) : Optional.empty();
  }

  /** The circle that a new lease would close by what its holder waits for elsewhere, if any. */
  Optional<List<Wish>> cycleAround(Lease lease, Limit most) {
    List<LeaseWait> elsewhere = elsewhere(lease.holder(), lease.resource());
    if (elsewhere.isEmpty()) {
      return Optional.empty();
    }
    imagine(lease);
    return elsewhere.stream().flatMap(wait -> search(Wish.of(wait), most).stream()).findFirst();
  }

  private List<LeaseWait> elsewhere(AgentId agent, Resource here) {
    return places(agent).stream().filter(wait -> !wait.resource().equals(here)).toList();
  }

  /*
   * Somebody waits for an agent that holds something or stands before others. A new place is the last of its queue, and one that
   * is kept adds nothing to what was there when those behind it asked: so who holds nothing and stands in no other queue closes
   * no circle, and the many who only wait for one thing cost nothing.
   */
  private boolean isInTheWay(Wish wish) {
    return !elsewhere(wish.agent(), wish.resource()).isEmpty()
        || rows.snapshot()
            .first(
                Query.over(Lease.TABLE, "holder")
                    .equal(wish.agent().value())
                    .where(lease -> lease.isLive(now)))
            .isPresent();
  }

  /** A wish, and the one that it was reached from. */
  private record Step(Wish wish, @Nullable Step from) {
    List<Wish> path() {
      List<Wish> path = new ArrayList<>();
      for (Step step = this; step != null; step = step.from) {
        path.addFirst(step.wish);
      }
      return path;
    }
  }

  private Optional<List<Wish>> search(Wish wish, Limit most) {
    Set<AgentId> seen = new HashSet<>();
    Deque<Step> open = new ArrayDeque<>(List.of(new Step(wish, null)));
    while (!open.isEmpty()) {
      Step step = open.removeFirst();
      for (AgentId next : before(step.wish())) {
        if (next.equals(wish.agent())) {
          return Optional.of(step.path());
        }
        if (seen.add(next)) {
          most.check(seen.size());
          places(next).forEach(wait -> open.addLast(new Step(Wish.of(wait), step)));
        }
      }
    }
    return Optional.empty();
  }
}
