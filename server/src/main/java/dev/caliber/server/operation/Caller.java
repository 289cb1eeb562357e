package dev.caliber.server.operation;

import dev.caliber.kernel.SpaceId;
import java.util.List;

/**
 * Who asks.
 *
 * @param actor as the audit log shows it
 * @param space where the request is about
 * @param spaces where else this caller may act; empty: everywhere
 */
public record Caller(String actor, SpaceId space, Right right, List<SpaceId> spaces) {
  public Caller {
    spaces = List.copyOf(spaces);
  }

  public boolean mayEnter(SpaceId other) {
    return spaces.isEmpty() || spaces.contains(other);
  }
}
