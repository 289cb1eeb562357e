package dev.caliber.lang.prompt;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A prompt: sections, blocks and references, with their positions in its file.
 *
 * @param references all references, in text and in blocks, in the order of the file
 */
public record ParsedPrompt(List<PromptSection> sections, List<Reference> references) {
  public ParsedPrompt {
    sections = List.copyOf(sections);
    references = List.copyOf(references);
  }

  /** Returns the blocks that belong to the whole prompt. */
  public List<SectionPart.ContractBlock> globals() {
    return blocks(SectionPart.ContractBlock.class)
        .filter(SectionPart.ContractBlock::global)
        .toList();
  }

  /** Returns all tool calls of the prompt and its sections. */
  public List<SectionPart.PromptToolCall> toolCalls() {
    return blocks(SectionPart.PromptToolCall.class).toList();
  }

  /** Returns the query for memory. */
  public Optional<SectionPart.ContextQuery> context() {
    return blocks(SectionPart.ContextQuery.class).findFirst();
  }

  /** Returns the names of the caller's inputs, each once. */
  public List<String> inputs() {
    return references.stream()
        .flatMap(
            it ->
                it instanceof Reference.InputReference(var name, _)
                    ? Stream.of(name)
                    : Stream.empty())
        .distinct()
        .toList();
  }

  private <B extends SectionPart> Stream<B> blocks(Class<B> type) {
    return sections.stream()
        .flatMap(promptSection -> promptSection.parts().stream())
        .filter(type::isInstance)
        .map(type::cast);
  }
}
