package dev.caliber.server.operation;

import dev.caliber.agents.registry.ResultPage;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A page of records.
 *
 * @param next the cursor of the next page; absent on the last one
 */
public record PageResponse<T>(List<T> items, Optional<String> next) {
  public PageResponse {
    items = List.copyOf(items);
  }

  public <S> PageResponse<S> map(Function<T, S> shown) {
    return new PageResponse<>(items.stream().map(shown).toList(), next);
  }

  static <T> PageResponse<T> of(ResultPage<T> resultPage) {
    return new PageResponse<>(resultPage.records(), resultPage.next());
  }

  public static <T> PageResponse<T> ofAll(List<T> items) {
    return new PageResponse<>(items, Optional.empty());
  }
}
