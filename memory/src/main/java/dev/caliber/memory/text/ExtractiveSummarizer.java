package dev.caliber.memory.text;

import dev.caliber.memory.spi.Passage;
import dev.caliber.memory.spi.Summarizer;
import dev.caliber.memory.spi.Summary;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Summarizer that chooses the sentences whose words the passages use most and skips those that
 * repeat a chosen one. Sentences keep the order of the passages; equal inputs give equal summaries.
 * A sentence over the length limit, such as a line of data, is truncated and ends with an ellipsis.
 */
record ExtractiveSummarizer(int sentences, int length, double redundancy) implements Summarizer {

  record ScoredSentence(
      int position, Summary.SummarySentence sentence, Set<String> words, double score) {}

  @Override
  public Summary summarize(List<Passage> passages) {
    return new Summary(
        Summary.EXTRACTIVE,
        rankSentences(passages).firstSentences(sentences).stream()
            .map(ScoredSentence::sentence)
            .toList());
  }

  RankedSentences rankSentences(List<Passage> passages) {
    return new RankedSentences(candidates(passages), redundancy);
  }

  private List<ScoredSentence> candidates(List<Passage> passages) {
    List<Summary.SummarySentence> all =
        passages.stream()
            .flatMap(
                passage ->
                    SentenceSplitter.split(passage.text()).stream()
                        .map(
                            text ->
                                new Summary.SummarySentence(
                                    TextTruncator.truncate(length, text), passage.source())))
            .toList();
    Map<String, Integer> uses = new HashMap<>();
    all.forEach(
        summarySentence ->
            WordTokenizer.contentWords(summarySentence.text())
                .forEach(word -> uses.merge(word, 1, Integer::sum)));
    List<ScoredSentence> candidates = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      Set<String> words = WordTokenizer.contentWords(all.get(i).text());
      candidates.add(new ScoredSentence(i, all.get(i), words, score(words, uses)));
    }
    return candidates;
  }

  /**
   * Returns the total use count of the words, divided by the square root of their number, so that
   * neither the longest sentence nor the shortest wins by its length.
   */
  private static double score(Set<String> words, Map<String, Integer> uses) {
    double sum = words.stream().mapToInt(word -> uses.getOrDefault(word, 0)).sum();
    return words.isEmpty() ? 0 : sum / Math.sqrt(words.size());
  }
}
