package dev.caliber.lang.prompt;

import dev.caliber.lang.diagnostic.Span;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What stands between one heading and the next.
 *
 * @param span the place of the heading, or where a prompt without headings begins
 */
public record Section(SectionKind kind, Span span, List<Part> parts) {
  public Section {
    parts = List.copyOf(parts);
  }

  /** Its Markdown without the blocks. */
  public String text() {
    return parts.stream()
        .flatMap(part -> part instanceof Part.Text(var it) ? Stream.of(it.text()) : Stream.empty())
        .collect(Collectors.joining("\n\n"));
  }

  /** The blocks that belong to it. */
  public List<Part.Block> blocks() {
    return parts.stream()
        .flatMap(
            part -> part instanceof Part.Block it && !it.global() ? Stream.of(it) : Stream.empty())
        .toList();
  }
}
