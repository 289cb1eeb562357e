package dev.caliber.lang.syntax;

import java.util.List;

/** A whole configuration as it was written. */
public record Ast(TextNode version, List<Definition> definitions, NodeOrigin origin) implements Node {
  public Ast {
    definitions = List.copyOf(definitions);
  }
}
