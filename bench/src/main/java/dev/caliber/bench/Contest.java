package dev.caliber.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Things that are measured by turns, so that what else goes on on the machine hits all of them.
 *
 * <p>Each round runs every contender once, every other round in reverse order; the first round
 * warms up and does not count. A ratio is the median of the rounds' ratios, which one disturbed
 * round cannot move far.
 */
final class Contest {

  private final Map<String, Supplier<Measured>> contenders = new LinkedHashMap<>();
  private final Map<String, List<Measured>> rounds = new LinkedHashMap<>();

  Contest enter(String name, Supplier<Measured> contender) {
    contenders.put(name, contender);
    rounds.put(name, new ArrayList<>());
    return this;
  }

  /** Runs the warm-up and so many rounds. */
  Contest run(int samples, Progress progress) {
    List<String> order = new ArrayList<>(contenders.keySet());
    for (int round = 0; round <= samples; round++) {
      for (String name : order) {
        progress.step(round, samples, name);
        Measured measured = of(contenders, name).get();
        if (round > 0) {
          of(rounds, name).add(measured);
        }
      }
      Collections.reverse(order);
    }
    return this;
  }

  Measured total(String name) {
    return Measured.total(of(rounds, name));
  }

  /** Median over the rounds of one's rate divided by the other's. */
  double ratio(String name, String other) {
    List<Measured> mine = of(rounds, name);
    List<Measured> theirs = of(rounds, other);
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < mine.size(); i++) {
      ratios.add(mine.get(i).perSecond() / theirs.get(i).perSecond());
    }
    Collections.sort(ratios);
    int middle = ratios.size() / 2;
    return ratios.size() % 2 == 1
        ? ratios.get(middle)
        : (ratios.get(middle - 1) + ratios.get(middle)) / 2;
  }

  private static <V> V of(Map<String, V> map, String name) {
    V found = map.get(name);
    if (found == null) {
      throw new IllegalArgumentException("Nobody entered as '%s'".formatted(name));
    }
    return found;
  }
}
