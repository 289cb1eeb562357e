package dev.caliber.lang;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Sample of the pieces that a bounds test repeats: a few, spread evenly over the list, or all with
 * {@code ./verify --thorough}.
 */
final class PieceSample {
  private static final int SIZE = 8;

  private PieceSample() {}

  static Stream<String> of(List<String> pieces) {
    int size =
        Boolean.getBoolean("caliber.thorough") ? pieces.size() : Math.min(SIZE, pieces.size());
    return IntStream.range(0, size).mapToObj(i -> pieces.get(i * pieces.size() / size));
  }
}
