package dev.caliber.agents.lease;

import dev.caliber.agents.registry.AgentId;
import dev.caliber.kernel.Id;
import dev.caliber.store.Query;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Table;
import java.time.Instant;
import java.util.Optional;

/**
 * Lock on a resource that expires. An agent has at most one on a resource.
 *
 * @param token the sequence of the granting commit: every later holder has a greater one
 */
public record Lease(
    Id id,
    Resource resource,
    AgentId holder,
    LeaseMode mode,
    long token,
    Instant acquiredAt,
    Instant expiresAt) {

  public static final Table<Lease> TABLE =
      Table.of("lease", "Leases of agents on resources.", Lease.class, Lease::id)
          .text("resource", lease -> lease.resource.toString())
          .text("holder", lease -> lease.holder.value())
          .text("mode", lease -> lease.mode.name())
          .integer("token", Lease::token)
          .instant("expires_at", Lease::expiresAt)
          .unique("resource", "holder")
          .index("resource", "token")
          .index("holder")
          .index("expires_at");

  public static Query<Lease> queryByResource(Resource resource) {
    return Query.over(TABLE, "resource", "holder").equal(resource.toString());
  }

  /** Returns the lease of an agent on a resource. */
  static Optional<Lease> find(Snapshot snapshot, Resource resource, AgentId holder) {
    return snapshot.first(
        Query.over(TABLE, "resource", "holder").equal(resource.toString(), holder.value()));
  }

  /** Returns the fence that protected writes must check. */
  public Fence fence() {
    return new Fence(resource, token);
  }

  public boolean isLive(Instant at) {
    return at.isBefore(expiresAt);
  }

  public Lease withExpiry(Instant end) {
    return new Lease(id, resource, holder, mode, token, acquiredAt, end);
  }
}
