package dev.caliber.lang.prompt;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A prompt: sections, blocks and references, with their places in its file.
 *
 * @param references all of them, in text and in blocks, in the order of the file
 */
public record Prompt(List<Section> sections, List<Reference> references) {
  public Prompt {
    sections = List.copyOf(sections);
    references = List.copyOf(references);
  }

  /** The blocks that belong to the whole prompt. */
  public List<Part.Block> globals() {
    return blocks(Part.Block.class).filter(Part.Block::global).toList();
  }

  /** All tool calls, wherever they belong. */
  public List<Part.ToolCall> toolCalls() {
    return blocks(Part.ToolCall.class).toList();
  }

  /** What to ask the memory for. */
  public Optional<Part.ContextQuery> context() {
    return blocks(Part.ContextQuery.class).findFirst();
  }

  /** The names of what a caller has to give, each once. */
  public List<String> inputs() {
    return references.stream()
        .flatMap(
            it -> it instanceof Reference.Input(var name, _) ? Stream.of(name) : Stream.empty())
        .distinct()
        .toList();
  }

  private <B extends Part> Stream<B> blocks(Class<B> type) {
    return sections.stream()
        .flatMap(section -> section.parts().stream())
        .filter(type::isInstance)
        .map(type::cast);
  }
}
