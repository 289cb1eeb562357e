package dev.caliber.store.search;

import dev.caliber.kernel.CaliberException;
import dev.caliber.store.RecordStore;
import dev.caliber.store.spi.Embedder;
import dev.caliber.store.spi.Embedder.Purpose;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the vector of a query, or says why dense search is off for it. */
final class QueryVectors {

  private static final Logger LOG = LoggerFactory.getLogger(QueryVectors.class);
  private static final Found NOT_ASKED =
      new Found(Optional.empty(), Optional.empty(), Optional.empty());

  private final RecordStore store;
  private final Optional<Embedder> embedder;
  private final Optional<Calibration> calibration;
  private final QueryCache cache;
  private final Duration pause;
  private final Clock clock;

  /** After a failure nobody is asked for a while, so that not every search waits for nothing. */
  private volatile Silence silence = new Silence(Instant.MIN, "");

  private record Silence(Instant until, String reason) {}

  QueryVectors(
      RecordStore store,
      Optional<Embedder> embedder,
      Optional<Calibration> calibration,
      SearchConfig.Embedding rules,
      Clock clock) {
    this.store = store;
    this.embedder = embedder;
    this.calibration = calibration;
    this.cache = new QueryCache(rules.queries());
    this.pause = rules.queryPause();
    this.clock = clock;
  }

  /**
   * A vector ready for the index, or a reason.
   *
   * @param off why dense search is off though it was asked for
   */
  record Found(Optional<float[]> vector, Optional<EmbeddingModel> model, Optional<String> off) {

    static Found off(String reason) {
      return new Found(
          Optional.empty(), Optional.empty(), Optional.of("dense search is off: " + reason));
    }
  }

  /**
   * A vector that the query brings is checked strictly; trouble with embedding only degrades.
   *
   * @param subject what is embedded of the query's text
   */
  Found find(SearchQuery query, String subject, IndexRecipe recipe, boolean wanted) {
    if (query.vector().isPresent()) {
      return given(query, query.vector().get(), recipe);
    }
    if (!wanted || query.text().isBlank()) {
      return NOT_ASKED;
    }
    return embedder
        .map(present -> embedded(query, subject, present, recipe))
        .orElseGet(QueryVectors::none);
  }

  private static Found none() {
    return Found.off("no embedder is configured");
  }

  private Found given(SearchQuery query, SearchQuery.QueryVector vector, IndexRecipe recipe) {
    String model = recipe.model().orElse("none");
    if (!vector.model().equals(model)) {
      throw SearchException.modelMismatch(model, vector.model());
    }
    return found(query, EmbeddedVector.checked(vector.values(), recipe.dimensions()), recipe);
  }

  private Found embedded(SearchQuery query, String subject, Embedder present, IndexRecipe recipe) {
    if (!recipe.fits(embedder)) {
      return Found.off(
          "the index was made with model '%s', the present one is '%s'"
              .formatted(recipe.model().orElse("none"), present.model()));
    }
    String key = present.cacheKey(query.purpose(), subject);
    Optional<float[]> cached = cache.get(key).or(() -> ofDocuments(query, key, present));
    Silence now = silence;
    if (cached.isEmpty() && clock.instant().isBefore(now.until)) {
      return Found.off(now.reason);
    }
    try {
      return found(
          query, cached.orElseGet(() -> vector(present, key, query.purpose(), subject)), recipe);
    } catch (CaliberException e) {
      LOG.warn("A query could not be embedded: {}", e.getMessage());
      silence = new Silence(clock.instant().plus(e.retryAfter().orElse(pause)), e.report());
      return Found.off(e.report());
    }
  }

  /** A text that is compared with documents is often one of them, and has its vector. */
  private Optional<float[]> ofDocuments(SearchQuery query, String key, Embedder present) {
    return query.purpose() == Purpose.PASSAGE
        ? store
            .read(query.space(), snapshot -> EmbeddingCache.get(snapshot, key, present.model()))
            .filter(kept -> kept.failure().isEmpty())
            .map(CachedEmbedding::vector)
            .filter(vector -> vector.length == present.dimensions())
        : Optional.empty();
  }

  private float[] vector(Embedder present, String key, Purpose purpose, String subject) {
    float[] made =
        EmbeddedVector.of(
            present.embed(purpose, List.of(subject)).getFirst(), present.dimensions());
    cache.put(key, made);
    return made;
  }

  private Found found(SearchQuery query, float[] vector, IndexRecipe recipe) {
    return new Found(
        Similarity.of(recipe.metric()).prepared(vector),
        calibration.flatMap(known -> known.ifKnown(query.space())),
        Optional.empty());
  }
}
