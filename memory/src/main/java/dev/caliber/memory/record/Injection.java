package dev.caliber.memory.record;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.config.InjectionMode;
import dev.caliber.store.Table;
import java.time.Instant;

/** That a policy wants a memory in the contexts of a trajectory, and how. */
public record Injection(
    Id id, Id trajectory, String memory, InjectionMode mode, Instant createdAt) {

  public static final Table<Injection> TABLE =
      Table.of(
              "injection",
              "Memories that policies want in contexts.",
              Injection.class,
              Injection::id)
          .text("trajectory", injection -> injection.trajectory.toString())
          .text("memory", Injection::memory)
          .index("trajectory", "memory");

  public static Injection of(Id trajectory, String memory, InjectionMode mode, Instant now) {
    Id id = Id.deterministic("injection", trajectory.toString(), memory);
    return new Injection(id, trajectory, memory, mode, now);
  }
}
