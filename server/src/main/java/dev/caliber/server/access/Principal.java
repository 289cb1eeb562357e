package dev.caliber.server.access;

import dev.caliber.agents.ActingAgent;
import dev.caliber.kernel.SpaceId;
import dev.caliber.server.operation.Right;
import java.util.List;
import java.util.Optional;

/**
 * Somebody who has shown a key, or needs none.
 *
 * @param id tells one from another, for rates
 * @param actor as logs show it
 * @param spaces where it may act; empty: everywhere
 * @param agent as whom it always acts, as {@link ActingAgent#parse} reads it
 * @param subject the one subject whose records it sees, beside those without a subject
 */
public record Principal(
    String id,
    String actor,
    Right right,
    List<SpaceId> spaces,
    Optional<String> agent,
    Optional<String> subject) {
  public Principal {
    spaces = List.copyOf(spaces);
  }

  public boolean mayEnter(SpaceId space) {
    return spaces.isEmpty() || spaces.contains(space);
  }
}
