package dev.caliber.memory.spi;

import dev.caliber.kernel.Id;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A shorter form of some passages. Each sentence names the passage it came from, so that nothing is
 * lost: whoever wants the whole reads the sources.
 *
 * @param method how it was made, such as {@code extractive}; a fallback says what it stands in for
 * @param extent which part of what there was it was made of; empty if of all
 */
public record Summary(String method, List<Sentence> sentences, Optional<Extent> extent) {

  /** The method that takes whole sentences; what stands in for another begins with it. */
  public static final String EXTRACTIVE = "extractive";

  /** The method of whoever says that there is none. */
  public static final String SYSTEM = "system";

  /** One sentence and the record that says it. */
  public record Sentence(String text, Id source) {}

  /**
   * That there was more than a summary is made of.
   *
   * @param records what they are, such as {@code turns}
   * @param newest how many it was made of
   * @param all how many there were, with those that were taken back
   */
  public record Extent(String records, long newest, long all) {
    /** For people. */
    public String words() {
      return "of the newest %d of %d %s".formatted(newest, all, records);
    }
  }

  public Summary {
    sentences = List.copyOf(sentences);
  }

  /** Of everything that there was. */
  public Summary(String method, List<Sentence> sentences) {
    this(method, sentences, Optional.empty());
  }

  /** The same, which says of how much it was made. */
  public Summary withExtent(Optional<Extent> other) {
    return new Summary(method, sentences, other);
  }

  /** The same with some of its sentences. */
  public Summary withSentences(List<Sentence> some) {
    return new Summary(method, some, extent);
  }

  /** What stands where nobody has told anything: why that is so. */
  public static Summary placeholder(String reason, Id source) {
    return new Summary(SYSTEM, List.of(new Sentence("[SYSTEM] " + reason, source)));
  }

  /** Whether it tells nothing of its sources. */
  public boolean isPlaceholder() {
    return method.equals(SYSTEM);
  }

  /** The rest without the sentences of these sources, if it has any of them. */
  public Optional<Summary> without(Set<Id> gone) {
    List<Sentence> rest = sentences.stream().filter(one -> !gone.contains(one.source())).toList();
    return rest.size() == sentences.size() ? Optional.empty() : Optional.of(withSentences(rest));
  }

  /** Whether its sentences are those of its sources, word for word. */
  public boolean isVerbatim() {
    return method.startsWith(EXTRACTIVE);
  }

  public String text() {
    return sentences.stream().map(Sentence::text).collect(Collectors.joining(" "));
  }

  /** The same for whoever sees nothing else of it: it says when it is not of everything. */
  public String told() {
    return extent.map(part -> text() + " [" + part.words() + "]").orElseGet(this::text);
  }

  /** The records it was made from, in their order, each once. */
  public List<Id> sources() {
    return sentences.stream().map(Sentence::source).distinct().toList();
  }
}
