package dev.caliber.agents.lease;

import dev.caliber.agents.registry.InputChecks;

/** Resource that agents lease, by its type and its id. */
public record Resource(String type, String id) {
  public Resource {
    InputChecks.requireName("type of a resource", type);
    InputChecks.requireShortText("id of a resource", id);
  }

  @Override
  public String toString() {
    return type + "/" + id;
  }
}
