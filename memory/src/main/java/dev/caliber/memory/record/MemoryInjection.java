package dev.caliber.memory.record;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.config.InjectionMode;
import dev.caliber.store.Table;
import java.time.Instant;

/**
 * Request of a policy to inject a memory into the contexts of a trajectory.
 *
 * @param createdAt time of the first request; a later one does not change it
 */
public record MemoryInjection(
    Id id, Id trajectory, String memory, InjectionMode mode, Instant createdAt) {

  public static final Table<MemoryInjection> TABLE =
      Table.of(
              "injection",
              "Memories that policies inject into contexts.",
              MemoryInjection.class,
              MemoryInjection::id)
          .text("trajectory", memoryInjection -> memoryInjection.trajectory.toString())
          .text("memory", MemoryInjection::memory)
          .index("trajectory", "memory");

  public static MemoryInjection of(Id trajectory, String memory, InjectionMode mode, Instant now) {
    Id id = Id.derivedFrom("injection", trajectory.toString(), memory);
    return new MemoryInjection(id, trajectory, memory, mode, now);
  }

  /** Returns this request with the creation time of the first one. */
  public MemoryInjection withCreationTimeOf(MemoryInjection first) {
    return new MemoryInjection(id, trajectory, memory, mode, first.createdAt);
  }
}
