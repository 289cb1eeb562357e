package dev.caliber.lang.syntax;

import java.util.List;

/** What could be made of a source. */
public record Parsed(Ast ast, List<Comment> comments, Damage damage) {
  public Parsed {
    comments = List.copyOf(comments);
  }
}
