package dev.caliber.memory.record;

/** One thing, by its kind and its id. */
public record EntityRef(EntityType type, String id) {
  public EntityRef {
    Texts.requireFilled("id of a reference", id);
  }

  public static EntityRef of(EntityType type, Object id) {
    return new EntityRef(type, id.toString());
  }

  /** An agent, by its name or id. */
  public static EntityRef agent(String id) {
    return new EntityRef(EntityType.AGENT, id);
  }
}
