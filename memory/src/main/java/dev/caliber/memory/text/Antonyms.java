package dev.caliber.memory.text;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Words for opposite states. */
final class Antonyms {
  private static final String PAIRS =
      "enabled disabled|on off|open closed|active inactive|online offline|true false|married"
          + " single|married divorced|alive dead|passed failed|succeeded failed|started"
          + " stopped|public private|cheap expensive|likes dislikes|likes hates|loves hates|up"
          + " down|present absent|increased decreased|accepted rejected|approved rejected|won"
          + " lost|full empty|available unavailable|employed unemployed|valid invalid|complete"
          + " incomplete|finished unfinished|healthy sick|fast slow|safe unsafe|allowed"
          + " forbidden|required optional|vegetarian carnivore|left-handed right-handed|hot"
          + " cold|early late|synchronous asynchronous|mutable immutable";

  private static final Map<String, Set<String>> OPPOSITES = buildAntonyms();

  private Antonyms() {}

  /** Returns the words that have an opposite; most clauses contain none. */
  static List<String> wordsWithAntonym(Set<String> words) {
    return words.stream().filter(OPPOSITES::containsKey).toList();
  }

  /** Returns whether two clauses differ only in one word and its opposite. */
  static boolean areOpposite(TextClause one, TextClause other, double overlap) {
    if (other.antonymWords().isEmpty()) {
      return false;
    }
    for (String word : one.antonymWords()) {
      for (String against : Objects.requireNonNull(OPPOSITES.get(word))) {
        if (isOnlyIn(other, against, one) && isOnlyIn(one, word, other)) {
          return isRestSimilar(one.words(), word, other.words(), against, overlap);
        }
      }
    }
    return false;
  }

  private static boolean isOnlyIn(TextClause one, String word, TextClause other) {
    return one.words().contains(word) && !other.words().contains(word);
  }

  private static boolean isRestSimilar(
      Set<String> one, String word, Set<String> other, String against, double overlap) {
    Set<String> left = new HashSet<>(one);
    left.remove(word);
    Set<String> right = new HashSet<>(other);
    right.remove(against);
    return !left.isEmpty() && WordOverlap.jaccardSimilarity(left, right) >= overlap;
  }

  private static Map<String, Set<String>> buildAntonyms() {
    Map<String, Set<String>> opposites = new HashMap<>();
    for (String pair : PAIRS.split("\\|", -1)) {
      List<String> words = List.of(pair.split(" ", -1)).stream().map(WordTokenizer::stem).toList();
      opposites.computeIfAbsent(words.getFirst(), _ -> new HashSet<>()).add(words.getLast());
      opposites.computeIfAbsent(words.getLast(), _ -> new HashSet<>()).add(words.getFirst());
    }
    return opposites;
  }
}
