package dev.caliber.memory.context.window;

import dev.caliber.kernel.FieldHash;

/**
 * Trust in a candidate.
 *
 * @param value from 0 to 100, by the settings
 * @param name the name of the source: a path, an entity, a speaker
 */
public record Trust(TrustClass level, int value, String name) {

  public void addToHash(FieldHash.FieldHasher fieldHasher) {
    fieldHasher.text(level.name()).number(value).text(name);
  }

  public String description() {
    return "%s, trust %d".formatted(level.title(), value);
  }
}
