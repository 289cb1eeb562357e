package dev.caliber.lang.syntax;

import dev.caliber.lang.ast.Definition;
import dev.caliber.lang.diagnostic.Span;
import java.util.Set;

/**
 * The gaps of a tree after syntax errors, so that checks do not report as missing what the source
 * has.
 *
 * @param definitionsLost whether whole definitions are missing
 * @param definitions the spans of definitions that lack something
 */
public record ParseDamage(boolean definitionsLost, Set<Span> definitions) {
  public static final ParseDamage NONE = new ParseDamage(false, Set.of());

  public ParseDamage {
    definitions = Set.copyOf(definitions);
  }

  public boolean isDamaged(Definition definition) {
    return definitions.contains(definition.span());
  }
}
