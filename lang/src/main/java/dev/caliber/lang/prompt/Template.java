package dev.caliber.lang.prompt;

import dev.caliber.lang.diagnostic.Span;
import java.util.List;

/** A text and its references, which {@link ReferenceScanner#replace} replaces. */
public record Template(String text, Span span, List<Reference> references) {
  public Template {
    references = List.copyOf(references);
  }
}
