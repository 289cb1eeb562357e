package dev.caliber.server.operation;

import dev.caliber.agents.Part;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A page of records.
 *
 * @param next where the next page begins; absent on the last one
 */
public record Listed<T>(List<T> items, Optional<String> next) {
  public Listed {
    items = List.copyOf(items);
  }

  <S> Listed<S> as(Function<T, S> shown) {
    return new Listed<>(items.stream().map(shown).toList(), next);
  }

  static <T> Listed<T> of(Part<T> part) {
    return new Listed<>(part.records(), part.next());
  }

  static <T> Listed<T> whole(List<T> items) {
    return new Listed<>(items, Optional.empty());
  }
}
