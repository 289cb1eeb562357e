package dev.caliber.store.search.rank;

import dev.caliber.store.search.SearchChannel;
import dev.caliber.store.search.SearchQuery;
import dev.caliber.store.search.embed.EmbeddingModelStatistics;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Query prepared for one generation.
 *
 * @param words of the text, as the generation's analysis makes them
 * @param vector prepared for the generation's metric; empty if dense search is off
 * @param model the model that calibrates similarity; empty if dense search is off
 * @param weights of all channels
 * @param parsedQuery speakers, periods and subject of the text
 */
public record PreparedQuery(
    SearchQuery query,
    List<String> words,
    Optional<float[]> vector,
    Optional<EmbeddingModelStatistics> model,
    Map<SearchChannel, Double> weights,
    ParsedQuery parsedQuery,
    Instant asOf) {

  public PreparedQuery {
    words = List.copyOf(words);
    weights = Map.copyOf(weights);
  }

  double weight(SearchChannel searchChannel) {
    return weights.getOrDefault(searchChannel, 0.0);
  }
}
