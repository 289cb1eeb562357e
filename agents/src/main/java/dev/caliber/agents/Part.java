package dev.caliber.agents;

import java.util.List;
import java.util.Optional;

/**
 * A part of a list.
 *
 * @param next what to ask for the part behind it with; nothing where there is no more
 */
public record Part<T>(List<T> records, Optional<String> next) {
  public Part {
    records = List.copyOf(records);
  }
}
