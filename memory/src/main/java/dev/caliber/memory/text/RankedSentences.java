package dev.caliber.memory.text;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Sentences of a text by rank, without those that repeat an earlier one. They are chosen lazily,
 * because most callers need a few.
 */
public final class RankedSentences {
  private final Iterator<ExtractiveSummarizer.ScoredSentence> ranked;
  private final double redundancy;
  private final List<ExtractiveSummarizer.ScoredSentence> chosen = new ArrayList<>();

  RankedSentences(List<ExtractiveSummarizer.ScoredSentence> candidates, double redundancy) {
    this.ranked =
        candidates.stream()
            .sorted(
                Comparator.comparingDouble(ExtractiveSummarizer.ScoredSentence::score).reversed())
            .iterator();
    this.redundancy = redundancy;
  }

  /** Returns the number of sentences, at most {@code most}. */
  public int count(int most) {
    while (chosen.size() < most && ranked.hasNext()) {
      ExtractiveSummarizer.ScoredSentence next = ranked.next();
      if (isNotRedundant(next)) {
        chosen.add(next);
      }
    }
    return Math.min(most, chosen.size());
  }

  private boolean isNotRedundant(ExtractiveSummarizer.ScoredSentence scoredSentence) {
    return chosen.stream()
        .noneMatch(
            other ->
                WordOverlap.jaccardSimilarity(scoredSentence.words(), other.words()) >= redundancy);
  }

  /** Returns the first {@code sentences} of them, in the order of the text. */
  public String text(int sentences) {
    return firstSentences(sentences).stream()
        .map(scoredSentence -> scoredSentence.sentence().text())
        .collect(Collectors.joining(" "));
  }

  List<ExtractiveSummarizer.ScoredSentence> firstSentences(int sentences) {
    return chosen.subList(0, count(sentences)).stream()
        .sorted(Comparator.comparingInt(ExtractiveSummarizer.ScoredSentence::position))
        .toList();
  }
}
