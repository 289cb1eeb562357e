package dev.caliber.agents.lease;

import dev.caliber.agents.registry.AgentId;
import dev.caliber.kernel.Id;
import dev.caliber.store.Query;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Table;
import java.time.Instant;
import java.util.Optional;

/**
 * Entry in the queue for a resource, one for each agent. Repeating the request keeps it; otherwise
 * it expires.
 *
 * @param place the sequence of the commit that added it
 */
public record LeaseQueueEntry(
    Id id,
    Resource resource,
    AgentId agent,
    LeaseMode mode,
    long place,
    Instant since,
    Instant keptUntil) {

  public static final Table<LeaseQueueEntry> TABLE =
      Table.of(
              "lease_wait",
              "Queue entries of agents that wait for a lease.",
              LeaseQueueEntry.class,
              LeaseQueueEntry::id)
          .text("resource", wait -> wait.resource.toString())
          .text("agent", wait -> wait.agent.value())
          .text("mode", wait -> wait.mode.name())
          .integer("place", LeaseQueueEntry::place)
          .instant("kept_until", LeaseQueueEntry::keptUntil)
          .unique("resource", "agent")
          .index("resource", "place")
          .index("resource", "mode", "place")
          .index("agent")
          .index("kept_until");

  public static Query<LeaseQueueEntry> queryByResource(Resource resource) {
    return Query.over(TABLE, "resource", "place").equal(resource.toString());
  }

  /** Returns the entries that block a request if they precede it. */
  static Query<LeaseQueueEntry> queryBlockingEntries(LeaseRequest leaseRequest) {
    return leaseRequest.mode() == LeaseMode.EXCLUSIVE
        ? queryByResource(leaseRequest.resource())
        : Query.over(TABLE, "resource", "mode", "place")
            .equal(leaseRequest.resource().toString(), LeaseMode.EXCLUSIVE.name());
  }

  /** Returns the entry of an agent in the queue for a resource. */
  public static Optional<LeaseQueueEntry> find(
      Snapshot snapshot, Resource resource, AgentId agent) {
    return snapshot.first(
        Query.over(TABLE, "resource", "agent").equal(resource.toString(), agent.value()));
  }

  public static Query<LeaseQueueEntry> queryByAgent(AgentId agent) {
    return Query.over(TABLE, "agent").equal(agent.value());
  }

  public boolean isLive(Instant at) {
    return at.isBefore(keptUntil);
  }

  boolean isBefore(LeaseQueueEntry other) {
    return place != other.place ? place < other.place : id.compareTo(other.id) < 0;
  }

  public LeaseQueueEntry withModeAndExpiry(LeaseMode wanted, Instant end) {
    return new LeaseQueueEntry(id, resource, agent, wanted, place, since, end);
  }
}
