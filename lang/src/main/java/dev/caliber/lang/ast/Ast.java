package dev.caliber.lang.ast;

import java.util.List;

/** A whole configuration as it was written. */
public record Ast(TextNode version, List<Definition> definitions, NodeOrigin origin)
    implements Node {
  public Ast {
    definitions = List.copyOf(definitions);
  }
}
