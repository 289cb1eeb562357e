package dev.caliber.memory;

import dev.caliber.kernel.config.MemoryDefinition;
import dev.caliber.kernel.config.MemoryType;
import dev.caliber.kernel.config.Retention;
import java.util.List;
import java.util.Optional;

/** Definitions of memories, as a configuration has them. */
public final class Definitions {
  private Definitions() {}

  public static MemoryDefinition persistent(String name) {
    return of(name, new Retention.PersistentRetention());
  }

  public static MemoryDefinition of(String name, Retention retention) {
    return of(name, MemoryType.EPHEMERAL, retention);
  }

  public static MemoryDefinition of(String name, MemoryType type, Retention retention) {
    return new MemoryDefinition(
        name,
        type,
        List.of(),
        retention,
        Optional.empty(),
        List.of(),
        List.of(),
        Optional.empty(),
        List.of());
  }
}
