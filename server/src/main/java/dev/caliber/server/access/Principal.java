package dev.caliber.server.access;

import dev.caliber.agents.registry.ActingAgent;
import dev.caliber.kernel.SpaceId;
import dev.caliber.server.operation.AccessRight;
import java.util.List;
import java.util.Optional;

/**
 * An authenticated user: one that has shown a key, or needs none.
 *
 * @param id identifies the principal for rates
 * @param actor the name for logs
 * @param spaces the allowed spaces; empty: all
 * @param agent the agent as which it always acts, as {@link ActingAgent#parse} reads it
 * @param subject the one subject whose records it sees, beside those without a subject
 */
public record Principal(
    String id,
    String actor,
    AccessRight right,
    List<SpaceId> spaces,
    Optional<String> agent,
    Optional<String> subject) {
  public Principal {
    spaces = List.copyOf(spaces);
  }

  public boolean canEnter(SpaceId space) {
    return spaces.isEmpty() || spaces.contains(space);
  }
}
