package dev.caliber.lang.prompt;

import dev.caliber.lang.diagnostic.Span;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The content between one heading and the next.
 *
 * @param span the span of the heading, or the start of a prompt without headings
 */
public record PromptSection(SectionKind kind, Span span, List<SectionPart> parts) {
  public PromptSection {
    parts = List.copyOf(parts);
  }

  /** Returns its Markdown without the blocks. */
  public String text() {
    return parts.stream()
        .flatMap(
            sectionPart ->
                sectionPart instanceof SectionPart.MarkdownText(var it)
                    ? Stream.of(it.text())
                    : Stream.empty())
        .collect(Collectors.joining("\n\n"));
  }

  /** Returns the blocks that belong to it. */
  public List<SectionPart.ContractBlock> blocks() {
    return parts.stream()
        .flatMap(
            sectionPart ->
                sectionPart instanceof SectionPart.ContractBlock it && !it.global()
                    ? Stream.of(it)
                    : Stream.empty())
        .toList();
  }
}
