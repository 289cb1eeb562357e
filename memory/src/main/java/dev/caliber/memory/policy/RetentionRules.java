package dev.caliber.memory.policy;

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
 * Retention of each kind of record. Configured memories of one kind share their records, so a
 * record is removed only when all of them allow it: the longest retention wins.
 */
record RetentionRules(CompiledConfig config) {

  /** Returns the largest number, if all memories of the kind are limited by number. */
  OptionalInt maxCount(MemoryKind kind) {
    return allMatch(kind, Retention.CountRetention.class::isInstance)
        ? retentionsOf(kind).stream()
            .mapToInt(retention -> ((Retention.CountRetention) retention).count())
            .max()
        : OptionalInt.empty();
  }

  /** Returns the largest age, if no memory of the kind keeps its records for ever. */
  Optional<Duration> maxAge(MemoryKind kind) {
    boolean ends =
        allMatch(
            kind,
            retention ->
                retention instanceof Retention.DurationRetention
                    || endsWithScope(retention)
                    || endsWithTask(retention));
    return retentionsOf(kind).stream()
        .filter(_ -> ends)
        .filter(Retention.DurationRetention.class::isInstance)
        .map(retention -> ((Retention.DurationRetention) retention).duration())
        .max(Comparator.naturalOrder());
  }

  boolean endsWithScope(MemoryKind kind) {
    return allMatch(kind, RetentionRules::endsWithScope);
  }

  /** Returns whether records end with the task; false if they already end with each scope. */
  boolean endsWithTask(MemoryKind kind) {
    return allMatch(kind, retention -> endsWithTask(retention) || endsWithScope(retention))
        && !endsWithScope(kind);
  }

  private static boolean endsWithScope(Retention retention) {
    return retention instanceof Retention.ScopeRetention;
  }

  private static boolean endsWithTask(Retention retention) {
    return retention instanceof Retention.SessionRetention;
  }

  private boolean allMatch(MemoryKind kind, Predicate<Retention> test) {
    List<Retention> retention = retentionsOf(kind);
    return !retention.isEmpty() && retention.stream().allMatch(test);
  }

  private List<Retention> retentionsOf(MemoryKind kind) {
    return config.memories().stream()
        .filter(memory -> MemoryKind.of(memory) == kind)
        .map(MemoryDefinition::retention)
        .toList();
  }
}
