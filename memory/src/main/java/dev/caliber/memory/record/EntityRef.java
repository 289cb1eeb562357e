package dev.caliber.memory.record;

/** Reference to an entity by its type and id. */
public record EntityRef(EntityType type, String id) {
  public EntityRef {
    TextChecks.requireNotBlank("id of a reference", id);
  }

  public static EntityRef of(EntityType type, Object id) {
    return new EntityRef(type, id.toString());
  }

  /** Returns a reference to an agent by its name or id. */
  public static EntityRef agent(String id) {
    return new EntityRef(EntityType.AGENT, id);
  }
}
