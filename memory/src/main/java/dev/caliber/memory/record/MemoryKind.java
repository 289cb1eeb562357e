package dev.caliber.memory.record;

import dev.caliber.kernel.config.MemoryDefinition;
import dev.caliber.kernel.config.MemoryType;

/** Kind of records that a configured memory consists of. */
public enum MemoryKind {
  TRAJECTORY,
  SCOPE,
  TURN,
  ARTIFACT,
  NOTE;

  /**
   * Returns the kind of a memory. A name such as {@code turn}, {@code turns} or {@code turn_buffer}
   * selects that kind; otherwise the type of the memory decides.
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

  /** Returns the common stem of singular and plural. */
  private String stem() {
    return this == TRAJECTORY ? "trajector" : EntityType.valueOf(name()).lowerCaseName();
  }
}
