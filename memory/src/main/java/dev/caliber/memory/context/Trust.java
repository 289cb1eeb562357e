package dev.caliber.memory.context;

import dev.caliber.kernel.Hashing;

/**
 * How far a candidate is trusted.
 *
 * @param value from 0 to 100, as settings said
 * @param name what the source is called: a path, an entity, who speaks
 */
public record Trust(TrustClass level, int value, String name) {

  void addTo(Hashing.Fields fields) {
    fields.text(level.name()).number(value).text(name);
  }

  /** In words, for people. */
  String told() {
    return "%s, trust %d".formatted(level.title(), value);
  }
}
