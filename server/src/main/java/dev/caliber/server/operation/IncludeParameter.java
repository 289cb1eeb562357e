package dev.caliber.server.operation;

import dev.caliber.store.Query;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The parameter {@code include=rolled_back}, which adds rolled-back records to a list. */
record IncludeParameter(boolean rolledBack) {
  private static final String ROLLED_BACK = "rolled_back";

  static IncludeParameter of(Optional<List<String>> include) {
    List<String> words = include.orElse(List.of());
    if (!words.stream().allMatch(ROLLED_BACK::equals)) {
      throw ServerException.invalidInput("/include", "Expected the value 'rolled_back'");
    }
    return new IncludeParameter(!words.isEmpty());
  }

  /** Leaves out rolled-back records, unless the parameter includes them. */
  <T> Query<T> filter(Query<T> all, Function<T, Optional<Instant>> rolledBackAt) {
    return rolledBack ? all : all.where(record -> isIncluded(rolledBackAt.apply(record)));
  }

  boolean isIncluded(Optional<Instant> rolledBackAt) {
    return rolledBack || rolledBackAt.isEmpty();
  }
}
