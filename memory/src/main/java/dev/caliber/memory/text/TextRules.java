package dev.caliber.memory.text;

import dev.caliber.memory.spi.FindingKind;
import java.util.Map;
import java.util.Optional;

/**
 * What the reader goes by.
 *
 * @param sentences how many sentences a summary has at most
 * @param length how many characters a sentence of a summary has at most; empty in recipes from
 *     before there was such a limit
 * @param redundancy a sentence this alike to a chosen one is not chosen, from 0 to 1
 * @param confidence how sure a finding of each kind is, from 0 to 1
 * @param overlap which share of a denial's words the other statement must have to contradict it
 */
public record TextRules(
    int sentences,
    Optional<Integer> length,
    double redundancy,
    Map<FindingKind, Double> confidence,
    double overlap) {
  public TextRules {
    confidence = Map.copyOf(confidence);
    if (!confidence.keySet().containsAll(java.util.List.of(FindingKind.values()))) {
      throw new IllegalArgumentException("A confidence for each kind, found " + confidence);
    }
  }
}
