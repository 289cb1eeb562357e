package dev.caliber.memory.text;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The sentences of a text, those that say most first, and none that repeats one before it. They are
 * chosen one by one as they are asked for: most who ask have room for a few.
 */
public final class MainSentences {
  private final Iterator<Extractive.Candidate> ranked;
  private final double redundancy;
  private final List<Extractive.Candidate> chosen = new ArrayList<>();

  MainSentences(List<Extractive.Candidate> candidates, double redundancy) {
    this.ranked =
        candidates.stream()
            .sorted(Comparator.comparingDouble(Extractive.Candidate::score).reversed())
            .iterator();
    this.redundancy = redundancy;
  }

  /** How many there are, if there are no more than this. */
  public int count(int most) {
    while (chosen.size() < most && ranked.hasNext()) {
      Extractive.Candidate next = ranked.next();
      if (isNew(next)) {
        chosen.add(next);
      }
    }
    return Math.min(most, chosen.size());
  }

  private boolean isNew(Extractive.Candidate candidate) {
    return chosen.stream()
        .noneMatch(other -> Likeness.of(candidate.words(), other.words()) >= redundancy);
  }

  /** The first so many of them, in the order of the text. */
  public String text(int sentences) {
    return first(sentences).stream()
        .map(candidate -> candidate.sentence().text())
        .collect(Collectors.joining(" "));
  }

  List<Extractive.Candidate> first(int sentences) {
    return chosen.subList(0, count(sentences)).stream()
        .sorted(Comparator.comparingInt(Extractive.Candidate::place))
        .toList();
  }
}
