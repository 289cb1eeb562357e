package dev.caliber.memory.spi;

import dev.caliber.kernel.Id;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Shorter form of some passages. Each sentence names its source passage, where a reader finds the
 * full text.
 *
 * @param method how it was made, such as {@code extractive}; a fallback names what it replaces
 * @param extent which part of the records it was made of; empty if of all
 */
public record Summary(
    String method, List<SummarySentence> sentences, Optional<SummaryExtent> extent) {

  /** Method that takes whole sentences; the method of a fallback begins with it. */
  public static final String EXTRACTIVE = "extractive";

  /** Method of a placeholder for a missing summary. */
  public static final String SYSTEM = "system";

  /** Sentence and the record that it comes from. */
  public record SummarySentence(String text, Id source) {}

  /**
   * Part of the records that a summary was made of.
   *
   * @param records name of the records, such as {@code turns}
   * @param newest number of records that it was made of
   * @param all number of all records, including rolled-back ones
   */
  public record SummaryExtent(String records, long newest, long all) {
    /** Returns the extent in words for people. */
    public String description() {
      return "of the newest %d of %d %s".formatted(newest, all, records);
    }
  }

  public Summary {
    sentences = List.copyOf(sentences);
  }

  /** Creates a summary of all records. */
  public Summary(String method, List<SummarySentence> sentences) {
    this(method, sentences, Optional.empty());
  }

  /** Returns this summary with an extent. */
  public Summary withExtent(Optional<SummaryExtent> other) {
    return new Summary(method, sentences, other);
  }

  /** Returns this summary with some of its sentences. */
  public Summary withSentences(List<SummarySentence> some) {
    return new Summary(method, some, extent);
  }

  /** Returns a placeholder for a missing summary, with the reason. */
  public static Summary placeholder(String reason, Id source) {
    return new Summary(SYSTEM, List.of(new SummarySentence("[SYSTEM] " + reason, source)));
  }

  /** Returns whether this is a placeholder. */
  public boolean isPlaceholder() {
    return method.equals(SYSTEM);
  }

  /** Returns this summary without the sentences of these sources; empty if it has none of them. */
  public Optional<Summary> withoutSources(Set<Id> gone) {
    List<SummarySentence> rest =
        sentences.stream().filter(one -> !gone.contains(one.source())).toList();
    return rest.size() == sentences.size() ? Optional.empty() : Optional.of(withSentences(rest));
  }

  /** Returns whether its sentences are those of its sources, word for word. */
  public boolean isVerbatim() {
    return method.startsWith(EXTRACTIVE);
  }

  public String text() {
    return sentences.stream().map(SummarySentence::text).collect(Collectors.joining(" "));
  }

  /** Returns the text, with the extent if the summary covers only a part. */
  public String textWithExtent() {
    return extent.map(part -> text() + " [" + part.description() + "]").orElseGet(this::text);
  }

  /** Returns the records it was made from, in their order, each once. */
  public List<Id> sources() {
    return sentences.stream().map(SummarySentence::source).distinct().toList();
  }
}
