package dev.caliber.agents;

import dev.caliber.kernel.Id;
import dev.caliber.store.Query;
import dev.caliber.store.Table;
import java.time.Instant;

/**
 * A place in the queue for a resource. Whoever asks again keeps it; one that is not asked for any
 * more is lost.
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
          .integer("place", LeaseWait::place)
          .instant("kept_until", LeaseWait::keptUntil)
          .index("resource", "place")
          .index("agent")
          .index("kept_until");

  static Query<LeaseWait> on(Resource resource) {
    return Query.over(TABLE, "resource", "place").equal(resource.toString());
  }

  static Query<LeaseWait> of(AgentId agent) {
    return Query.over(TABLE, "agent").equal(agent.value());
  }

  boolean isLive(Instant at) {
    return at.isBefore(keptUntil);
  }

  LeaseWait kept(LeaseMode wanted, Instant end) {
    return new LeaseWait(id, resource, agent, wanted, place, since, end);
  }
}
