package dev.caliber.lang.syntax;

import dev.caliber.lang.diagnostic.Span;
import java.util.Set;

/**
 * What a tree lacks because it could not be parsed, so that nobody complains of what the source has
 * and the tree has not.
 *
 * @param definitionsLost whether whole definitions are missing
 * @param definitions the places of definitions that lack something
 */
public record Damage(boolean definitionsLost, Set<Span> definitions) {
  public static final Damage NONE = new Damage(false, Set.of());

  public Damage {
    definitions = Set.copyOf(definitions);
  }

  public boolean to(Definition definition) {
    return definitions.contains(definition.span());
  }
}
