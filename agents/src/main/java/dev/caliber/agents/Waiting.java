package dev.caliber.agents;

import dev.caliber.store.Snapshot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Who waits for whom. A wish waits for the holders that it does not fit, and for those before it in
 * the queue that it does not fit; one who holds the resource already waits for holders alone, or
 * those behind it would wait for it and it for them.
 */
record Waiting(Snapshot snapshot, Instant now) {

  /** A wish for a resource, made or about to be. */
  record Wish(AgentId agent, Resource resource, LeaseMode mode) {
    static Wish of(LeaseWait wait) {
      return new Wish(wait.agent(), wait.resource(), wait.mode());
    }

    @Override
    public String toString() {
      return "%s waits for %s".formatted(agent, resource);
    }
  }

  List<Lease> holders(Resource resource) {
    return Rows.all(snapshot, Lease.on(resource)).stream()
        .filter(lease -> lease.isLive(now))
        .toList();
  }

  List<LeaseWait> queue(Resource resource) {
    return Rows.all(snapshot, LeaseWait.on(resource)).stream()
        .filter(wait -> wait.isLive(now))
        .toList();
  }

  /** The places that an agent has. */
  List<LeaseWait> places(AgentId agent) {
    return Rows.all(snapshot, LeaseWait.of(agent)).stream()
        .filter(wait -> wait.isLive(now))
        .toList();
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
  Optional<List<Wish>> cycle(Wish wish) {
    return cycle(wish, wish.agent(), List.of(), new LinkedHashSet<>());
  }

  private Optional<List<Wish>> cycle(Wish wish, AgentId first, List<Wish> path, Set<AgentId> seen) {
    List<Wish> longer = new ArrayList<>(path);
    longer.add(wish);
    for (AgentId next : before(wish)) {
      if (next.equals(first)) {
        return Optional.of(longer);
      }
      if (seen.add(next)) {
        Optional<List<Wish>> found =
            places(next).stream()
                .flatMap(wait -> cycle(Wish.of(wait), first, longer, seen).stream())
                .findFirst();
        if (found.isPresent()) {
          return found;
        }
      }
    }
    return Optional.empty();
  }
}
