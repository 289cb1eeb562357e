package dev.caliber.server.operation;

import dev.caliber.store.Query;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** What a list holds beside what is live: {@code include=rolled_back}. */
record Included(boolean rolledBack) {
  private static final String ROLLED_BACK = "rolled_back";

  static Included of(Optional<List<String>> include) {
    List<String> words = include.orElse(List.of());
    if (!words.stream().allMatch(ROLLED_BACK::equals)) {
      throw ServerException.invalidInput("/include", "Wanted rolled_back, found another word");
    }
    return new Included(!words.isEmpty());
  }

  /** Without what a return to a checkpoint took away, unless that is asked for. */
  <T> Query<T> filter(Query<T> all, Function<T, Optional<Instant>> rolledBackAt) {
    return rolledBack ? all : all.where(record -> passes(rolledBackAt.apply(record)));
  }

  boolean passes(Optional<Instant> rolledBackAt) {
    return rolledBack || rolledBackAt.isEmpty();
  }
}
