package dev.caliber.kernel.config;

import java.util.Optional;

/** Resolver of the kind of record that the runtime stores a memory as. */
@FunctionalInterface
public interface MemoryKindResolver {
  /** Resolver for a compiler that knows no kinds. */
  MemoryKindResolver NONE = (_, _) -> Optional.empty();

  /** Returns the name of the kind; empty where it is unknown. */
  Optional<String> kindOf(String memory, MemoryType type);
}
