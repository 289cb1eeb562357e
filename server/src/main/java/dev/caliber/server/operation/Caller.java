package dev.caliber.server.operation;

import dev.caliber.agents.ActingAgent;
import dev.caliber.kernel.SpaceId;
import java.util.List;
import java.util.Optional;

/**
 * Who asks.
 *
 * @param id tells one from another: of the key, or empty for who needs none; names may be the same
 * @param actor its name, as the audit log shows it; of an agent, if it acts as one
 * @param space where the request is about
 * @param spaces where else this caller may act; empty: everywhere
 * @param agent as whom it acts, and with whose grants; without one, with all that its right covers
 */
public record Caller(
    String id,
    String actor,
    SpaceId space,
    Right right,
    List<SpaceId> spaces,
    Optional<ActingAgent> agent) {
  public Caller {
    spaces = List.copyOf(spaces);
  }

  /** One who acts as no agent. */
  public Caller(String id, String actor, SpaceId space, Right right, List<SpaceId> spaces) {
    this(id, actor, space, right, spaces, Optional.empty());
  }

  /** The same, acting as an agent. */
  public Caller as(ActingAgent acting) {
    return new Caller(id, acting.agent().value(), space, right, spaces, Optional.of(acting));
  }

  public boolean mayEnter(SpaceId other) {
    return spaces.isEmpty() || spaces.contains(other);
  }
}
