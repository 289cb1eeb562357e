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
 * Chooses the sentences whose words the passages use most, and none that repeats another. The order
 * is that of the passages; equal inputs give equal summaries. What has no end, such as a line of
 * data, is cut and says so by its last character.
 */
record Extractive(int sentences, int length, double redundancy) implements Summarizer {

  record Candidate(int place, Summary.Sentence sentence, Set<String> words, double score) {}

  @Override
  public Summary summarize(List<Passage> passages) {
    return new Summary(
        Summary.EXTRACTIVE,
        main(passages).first(sentences).stream().map(Candidate::sentence).toList());
  }

  MainSentences main(List<Passage> passages) {
    return new MainSentences(candidates(passages), redundancy);
  }

  private List<Candidate> candidates(List<Passage> passages) {
    List<Summary.Sentence> all =
        passages.stream()
            .flatMap(
                passage ->
                    Sentences.of(passage.text()).stream()
                        .map(text -> new Summary.Sentence(Cut.to(length, text), passage.source())))
            .toList();
    Map<String, Integer> uses = new HashMap<>();
    all.forEach(
        sentence ->
            Words.content(sentence.text()).forEach(word -> uses.merge(word, 1, Integer::sum)));
    List<Candidate> candidates = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      Set<String> words = Words.content(all.get(i).text());
      candidates.add(new Candidate(i, all.get(i), words, score(words, uses)));
    }
    return candidates;
  }

  /**
   * What the words are used in all, per square root of their number: neither the longest sentence
   * nor the shortest wins by its length.
   */
  private static double score(Set<String> words, Map<String, Integer> uses) {
    double sum = words.stream().mapToInt(word -> uses.getOrDefault(word, 0)).sum();
    return words.isEmpty() ? 0 : sum / Math.sqrt(words.size());
  }
}
