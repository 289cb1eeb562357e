package dev.caliber.agents;

/** Anything that agents take turns at, by its type and its id there. */
public record Resource(String type, String id) {
  public Resource {
    Names.require("type of a resource", type);
    Names.requireShort("id of a resource", id);
  }

  @Override
  public String toString() {
    return type + "/" + id;
  }
}
