package dev.caliber.memory.spi;

import dev.caliber.kernel.Id;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A shorter form of some passages. Each sentence names the passage it came from, so that nothing is
 * lost: whoever wants the whole reads the sources.
 *
 * @param method how it was made, such as {@code extractive}; a fallback says what it stands in for
 */
public record Summary(String method, List<Sentence> sentences) {

  /** One sentence and the record that says it. */
  public record Sentence(String text, Id source) {}

  public Summary {
    sentences = List.copyOf(sentences);
  }

  public String text() {
    return sentences.stream().map(Sentence::text).collect(Collectors.joining(" "));
  }

  /** The records it was made from, in their order, each once. */
  public List<Id> sources() {
    return sentences.stream().map(Sentence::source).distinct().toList();
  }
}
