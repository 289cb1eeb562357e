package dev.caliber.memory;

import dev.caliber.kernel.config.CompiledConfig;
import dev.caliber.kernel.config.MemoryDefinition;
import dev.caliber.kernel.config.Retention;
import dev.caliber.memory.record.MemoryKind;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;

/**
 * How long records of a kind are kept. Configured memories of one kind share their records, so a
 * record goes only when every one of them lets it go: what keeps longest wins.
 */
record Keeping(CompiledConfig config) {

  /** How many stay, if all memories of the kind are limited by number. */
  OptionalInt most(MemoryKind kind) {
    return all(kind, Retention.Max.class::isInstance)
        ? of(kind).stream().mapToInt(kept -> ((Retention.Max) kept).count()).max()
        : OptionalInt.empty();
  }

  /** How old they get, if no memory of the kind keeps them for ever. */
  Optional<Duration> age(MemoryKind kind) {
    boolean ends =
        all(
            kind,
            kept -> kept instanceof Retention.For || endsWithScope(kept) || endsWithTask(kept));
    return of(kind).stream()
        .filter(_ -> ends)
        .filter(Retention.For.class::isInstance)
        .map(kept -> ((Retention.For) kept).duration())
        .max(Comparator.naturalOrder());
  }

  boolean endsWithScope(MemoryKind kind) {
    return all(kind, Keeping::endsWithScope);
  }

  /** What has ended with each scope is gone by then. */
  boolean endsWithTask(MemoryKind kind) {
    return all(kind, kept -> endsWithTask(kept) || endsWithScope(kept)) && !endsWithScope(kind);
  }

  private static boolean endsWithScope(Retention kept) {
    return kept instanceof Retention.Scope;
  }

  private static boolean endsWithTask(Retention kept) {
    return kept instanceof Retention.Session;
  }

  private boolean all(MemoryKind kind, Predicate<Retention> test) {
    List<Retention> kept = of(kind);
    return !kept.isEmpty() && kept.stream().allMatch(test);
  }

  private List<Retention> of(MemoryKind kind) {
    return config.memories().stream()
        .filter(memory -> MemoryKind.of(memory) == kind)
        .map(MemoryDefinition::retention)
        .toList();
  }
}
