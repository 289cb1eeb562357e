package dev.caliber.bench.eval;

import dev.caliber.store.search.SearchChannel;
import java.util.EnumMap;
import java.util.Map;

/** The channels that a search may use. */
enum EvalMode {
  /** Words alone: BM25, with no model. */
  LEXICAL("Caliber, words alone (BM25)"),
  /** All channels, as the settings say. */
  HYBRID("Caliber");

  private final String title;

  EvalMode(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }

  /**
   * Returns weights to replace the configured ones.
   *
   * @param other the weights to use with all channels
   */
  Map<SearchChannel, Double> weights(Map<SearchChannel, Double> other) {
    Map<SearchChannel, Double> weights = new EnumMap<>(SearchChannel.class);
    if (this == HYBRID) {
      weights.putAll(other);
    } else {
      for (SearchChannel searchChannel : SearchChannel.values()) {
        weights.put(searchChannel, searchChannel == SearchChannel.LEXICAL ? 1.0 : 0.0);
      }
    }
    return weights;
  }
}
