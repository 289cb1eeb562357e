package dev.caliber.memory.record;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.config.InjectionMode;
import dev.caliber.store.Table;
import java.time.Instant;

/**
 * That a policy wants a memory in the contexts of a trajectory, and how.
 *
 * @param createdAt since when; that it is wanted again, be it in another way, does not change it
 */
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

  /** The same wish, which there is since then. */
  public Injection since(Injection first) {
    return new Injection(id, trajectory, memory, mode, first.createdAt);
  }
}
