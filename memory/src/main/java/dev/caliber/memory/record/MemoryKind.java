package dev.caliber.memory.record;

import dev.caliber.kernel.config.MemoryDefinition;
import dev.caliber.kernel.config.MemoryType;

/** Which records a configured memory is made of. */
public enum MemoryKind {
  TRAJECTORY,
  SCOPE,
  TURN,
  ARTIFACT,
  NOTE;

  /**
   * A memory named like a kind of record ({@code turn}, {@code turns}, {@code turn_buffer}) is that
   * kind; any other goes by its type.
   */
  public static MemoryKind of(MemoryDefinition memory) {
    return of(memory.name(), memory.type());
  }

  static MemoryKind of(String memory, MemoryType type) {
    for (MemoryKind kind : values()) {
      if (memory.startsWith(kind.stem())) {
        return kind;
      }
    }
    return switch (type) {
      case EPHEMERAL -> TURN;
      case WORKING -> SCOPE;
      case EPISODIC -> ARTIFACT;
      case SEMANTIC, PROCEDURAL, META -> NOTE;
    };
  }

  /** What singular and plural have in common. */
  private String stem() {
    return this == TRAJECTORY ? "trajector" : EntityType.valueOf(name()).word();
  }
}
