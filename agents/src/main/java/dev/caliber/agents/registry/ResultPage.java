package dev.caliber.agents.registry;

import java.util.List;
import java.util.Optional;

/**
 * Page of a list.
 *
 * @param next the cursor of the next page; empty on the last one
 */
public record ResultPage<T>(List<T> records, Optional<String> next) {
  public ResultPage {
    records = List.copyOf(records);
  }
}
