package dev.caliber.lang.syntax;

import dev.caliber.lang.ast.Ast;
import java.util.List;

/** The result of parsing a source. */
public record ParsedSource(Ast ast, List<Comment> comments, ParseDamage damage) {
  public ParsedSource {
    comments = List.copyOf(comments);
  }
}
