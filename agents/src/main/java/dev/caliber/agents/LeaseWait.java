package dev.caliber.agents;

import dev.caliber.kernel.Id;
import dev.caliber.store.Query;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Table;
import java.time.Instant;
import java.util.Optional;

/**
 * A place in the queue for a resource, one for each agent. Whoever asks again keeps it; one that is
 * not asked for any more is lost.
 *
 * @param place the sequence of the commit that gave it
 */
public record LeaseWait(
    Id id,
    Resource resource,
    AgentId agent,
    LeaseMode mode,
    long place,
    Instant since,
    Instant keptUntil) {

  public static final Table<LeaseWait> TABLE =
      Table.of("lease_wait", "Who waits for what.", LeaseWait.class, LeaseWait::id)
          .text("resource", wait -> wait.resource.toString())
          .text("agent", wait -> wait.agent.value())
          .text("mode", wait -> wait.mode.name())
          .integer("place", LeaseWait::place)
          .instant("kept_until", LeaseWait::keptUntil)
          .unique("resource", "agent")
          .index("resource", "place")
          .index("resource", "mode", "place")
          .index("agent")
          .index("kept_until");

  static Query<LeaseWait> on(Resource resource) {
    return Query.over(TABLE, "resource", "place").equal(resource.toString());
  }

  /** Those who keep a wish waiting, when they stand before it. */
  static Query<LeaseWait> before(Waiting.Wish wish) {
    return wish.mode() == LeaseMode.EXCLUSIVE
        ? on(wish.resource())
        : Query.over(TABLE, "resource", "mode", "place")
            .equal(wish.resource().toString(), LeaseMode.EXCLUSIVE.name());
  }

  /** Where an agent stands in the queue for a resource. */
  static Optional<LeaseWait> find(Snapshot snapshot, Resource resource, AgentId agent) {
    return snapshot.first(
        Query.over(TABLE, "resource", "agent").equal(resource.toString(), agent.value()));
  }

  static Query<LeaseWait> of(AgentId agent) {
    return Query.over(TABLE, "agent").equal(agent.value());
  }

  boolean isLive(Instant at) {
    return at.isBefore(keptUntil);
  }

  boolean isBefore(LeaseWait other) {
    return place != other.place ? place < other.place : id.compareTo(other.id) < 0;
  }

  LeaseWait kept(LeaseMode wanted, Instant end) {
    return new LeaseWait(id, resource, agent, wanted, place, since, end);
  }
}
