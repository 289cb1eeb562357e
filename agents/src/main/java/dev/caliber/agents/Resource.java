package dev.caliber.agents;

import dev.caliber.kernel.Limit;

/** Anything that agents take turns at, by its type and its id there. */
public record Resource(String type, String id) {
  private static final Limit LONGEST = new Limit("id of a resource", 512);

  public Resource {
    Names.require("type of a resource", type);
    Names.requireFilled("id of a resource", id);
    LONGEST.check(id.length());
  }

  @Override
  public String toString() {
    return type + "/" + id;
  }
}
