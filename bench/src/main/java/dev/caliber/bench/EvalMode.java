package dev.caliber.bench;

import dev.caliber.store.search.Channel;
import java.util.EnumMap;
import java.util.Map;

/** What a search may use. */
enum EvalMode {
  /** Words alone: BM25, with no model. */
  LEXICAL("Caliber, words alone (BM25)"),
  /** Everything, as the settings say. */
  HYBRID("Caliber");

  private final String title;

  EvalMode(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }

  /**
   * In place of the configured weights.
   *
   * @param other what is tried with everything
   */
  Map<Channel, Double> weights(Map<Channel, Double> other) {
    Map<Channel, Double> weights = new EnumMap<>(Channel.class);
    if (this == HYBRID) {
      weights.putAll(other);
    } else {
      for (Channel channel : Channel.values()) {
        weights.put(channel, channel == Channel.LEXICAL ? 1.0 : 0.0);
      }
    }
    return weights;
  }
}
