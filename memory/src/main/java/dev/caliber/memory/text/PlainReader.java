package dev.caliber.memory.text;

import dev.caliber.memory.spi.Passage;
import dev.caliber.memory.spi.Summary;
import java.util.List;
import java.util.Optional;

/** Reads text by rules alone: the same text and rules give the same answer, with no model. */
public final class PlainReader {
  private final Extractive summarizer;
  private final FindingRules findings;
  private final Contradictions contradictions;
  private final Readings readings = new Readings();

  private PlainReader(TextRules rules) {
    this.summarizer =
        new Extractive(
            rules.sentences(), rules.length().orElse(Integer.MAX_VALUE), rules.redundancy());
    this.findings = new FindingRules(rules.confidence());
    this.contradictions = new Contradictions(rules.overlap());
  }

  public static PlainReader of(TextRules rules) {
    return new PlainReader(rules);
  }

  /** The sentences that say most, each with its source; the method is {@code extractive}. */
  public Summary summarize(List<Passage> passages) {
    return summarizer.summarize(passages);
  }

  /** As {@link #summarize}, for whoever has room for another number of sentences. */
  public MainSentences mainSentences(Passage passage) {
    return summarizer.main(List.of(passage));
  }

  /** What the rules find in a text, in its order, each once. */
  public List<Finding> findings(String text) {
    return findings.in(text);
  }

  /** Those findings that tell something without the sentences around them. */
  public List<Finding> statements(String text) {
    return findings(text).stream().filter(found -> Words.content(found.text()).size() > 1).toList();
  }

  /**
   * Why two statements cannot both be true, if the rules see a reason; in the order in which they
   * were said.
   */
  public Optional<Contradiction> contradiction(String earlier, String later) {
    return contradictions.between(
        readings.of(earlier).statements(), readings.of(later).statements());
  }

  /** The text cut into its sentences, each verbatim. */
  public static List<String> sentences(String text) {
    return Sentences.of(text);
  }

  /** Which share of their words two texts have in common, from 0 to 1. */
  public double likeness(String one, String other) {
    return Likeness.of(readings.of(one).words(), readings.of(other).words());
  }

  /**
   * Whether the longer of two texts says every word of the shorter one, in the same order: keeping
   * it loses nothing. Texts without words say only themselves.
   */
  public boolean isWordedIn(String one, String other) {
    return readings.of(one).isWordedIn(readings.of(other));
  }
}
