package dev.caliber.kernel.config;

import java.util.Optional;

/** Which kind of record the runtime makes a memory of. */
@FunctionalInterface
public interface MemoryKinds {
  /** For whoever knows of no kinds. */
  MemoryKinds NONE = (_, _) -> Optional.empty();

  /** The name of the kind; empty where that is not known. */
  Optional<String> of(String memory, MemoryType type);
}
