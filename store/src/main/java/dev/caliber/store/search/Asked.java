package dev.caliber.store.search;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A query made ready for one generation.
 *
 * @param words of the text, as the generation's analysis makes them
 * @param vector made ready for the generation's metric; empty if dense search is off
 * @param model what similarity is calibrated by; empty if dense search is off
 * @param weights of all channels
 * @param reading what the text says besides its subject
 */
record Asked(
    SearchQuery query,
    List<String> words,
    Optional<float[]> vector,
    Optional<EmbeddingModel> model,
    Map<Channel, Double> weights,
    Reading reading,
    Instant asOf) {

  Asked {
    words = List.copyOf(words);
    weights = Map.copyOf(weights);
  }

  double weight(Channel channel) {
    return weights.getOrDefault(channel, 0.0);
  }
}
