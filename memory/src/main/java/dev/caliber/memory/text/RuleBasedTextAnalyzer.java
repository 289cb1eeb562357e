package dev.caliber.memory.text;

import dev.caliber.memory.spi.Passage;
import dev.caliber.memory.spi.Summary;
import java.util.List;
import java.util.Optional;

/** Text analysis by rules alone, without a model: equal texts and rules give equal results. */
public final class RuleBasedTextAnalyzer {
  private final ExtractiveSummarizer summarizer;
  private final FindingExtractor findings;
  private final ContradictionRules contradictionRules;
  private final AnalyzedTextCache analyzedTextCache = new AnalyzedTextCache();

  private RuleBasedTextAnalyzer(TextAnalysisSettings rules) {
    this.summarizer =
        new ExtractiveSummarizer(
            rules.sentences(),
            rules.sentenceLength().orElse(Integer.MAX_VALUE),
            rules.redundancy());
    this.findings = new FindingExtractor(rules.confidence());
    this.contradictionRules = new ContradictionRules(rules.overlap());
  }

  public static RuleBasedTextAnalyzer of(TextAnalysisSettings rules) {
    return new RuleBasedTextAnalyzer(rules);
  }

  /**
   * Returns the highest-ranked sentences, each with its source; the method is {@code extractive}.
   */
  public Summary summarize(List<Passage> passages) {
    return summarizer.summarize(passages);
  }

  /** Ranks sentences like {@link #summarize}, for callers with their own limit on the number. */
  public RankedSentences mainSentences(Passage passage) {
    return summarizer.rankSentences(List.of(passage));
  }

  /** Returns the findings of a text in its order, each once. */
  public List<TextFinding> findings(String text) {
    return findings.extract(text);
  }

  /** Returns the findings that are understandable without the sentences around them. */
  public List<TextFinding> statements(String text) {
    return findings(text).stream()
        .filter(found -> WordTokenizer.contentWords(found.text()).size() > 1)
        .toList();
  }

  /**
   * Returns why two statements cannot both be true, if a rule finds a reason. The order of the
   * arguments is the order in which they were said.
   */
  public Optional<Contradiction> findContradiction(String earlier, String later) {
    return contradictionRules.findContradiction(
        analyzedTextCache.analyze(earlier).clauses(), analyzedTextCache.analyze(later).clauses());
  }

  /** Splits a text into its sentences, each verbatim. */
  public static List<String> sentences(String text) {
    return SentenceSplitter.split(text);
  }

  /** Returns the share of words that two texts have in common, from 0 to 1. */
  public double similarity(String one, String other) {
    return WordOverlap.jaccardSimilarity(
        analyzedTextCache.analyze(one).words(), analyzedTextCache.analyze(other).words());
  }

  /**
   * Returns whether the longer text contains every word of the shorter one in the same order, so
   * that keeping the longer one loses nothing. A text without words is contained in no other.
   */
  public boolean isWordSubsequence(String one, String other) {
    return analyzedTextCache.analyze(one).isWordSubsequence(analyzedTextCache.analyze(other));
  }
}
