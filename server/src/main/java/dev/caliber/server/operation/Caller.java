package dev.caliber.server.operation;

import dev.caliber.kernel.SpaceId;
import java.util.List;

/**
 * Who asks.
 *
 * @param id tells one from another: of the key, or empty for who needs none; names may be the same
 * @param actor its name, as the audit log shows it
 * @param space where the request is about
 * @param spaces where else this caller may act; empty: everywhere
 */
public record Caller(String id, String actor, SpaceId space, Right right, List<SpaceId> spaces) {
  public Caller {
    spaces = List.copyOf(spaces);
  }

  public boolean mayEnter(SpaceId other) {
    return spaces.isEmpty() || spaces.contains(other);
  }
}
