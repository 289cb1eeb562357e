package dev.caliber.store.search.embed;

import dev.caliber.kernel.CaliberException;
import dev.caliber.store.RecordStore;
import dev.caliber.store.search.SearchConfig;
import dev.caliber.store.search.SearchException;
import dev.caliber.store.search.SearchQuery;
import dev.caliber.store.search.format.IndexRecipe;
import dev.caliber.store.search.format.VectorSimilarity;
import dev.caliber.store.spi.Embedder;
import dev.caliber.store.spi.Embedder.EmbeddingPurpose;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Source of the vector of a query, or of the reason why dense search is off for it. */
public final class QueryVectorFinder {

  private static final Logger LOG = LoggerFactory.getLogger(QueryVectorFinder.class);
  private static final QueryVectorResult NOT_ASKED =
      new QueryVectorResult(Optional.empty(), Optional.empty(), Optional.empty());

  private final RecordStore store;
  private final Optional<Embedder> embedder;
  private final Optional<ModelCalibration> calibration;
  private final QueryVectorCache cache;
  private final Duration pause;
  private final Clock clock;

  /** Pause after a failure of the embedder, so that not every search waits in vain. */
  private volatile EmbedderPause embedderPause = new EmbedderPause(Instant.MIN, "");

  private record EmbedderPause(Instant until, String reason) {}

  public QueryVectorFinder(
      RecordStore store,
      Optional<Embedder> embedder,
      Optional<ModelCalibration> calibration,
      SearchConfig.TextEmbeddingSettings rules,
      Clock clock) {
    this.store = store;
    this.embedder = embedder;
    this.calibration = calibration;
    this.cache = new QueryVectorCache(rules.queryCacheSize());
    this.pause = rules.retryPause();
    this.clock = clock;
  }

  /**
   * Vector prepared for the index, or a reason.
   *
   * @param disabledReason why dense search is off though the query asked for it
   */
  public record QueryVectorResult(
      Optional<float[]> vector,
      Optional<EmbeddingModelStatistics> model,
      Optional<String> disabledReason) {

    static QueryVectorResult disabled(String reason) {
      return new QueryVectorResult(
          Optional.empty(),
          Optional.empty(),
          Optional.of("the search uses words only, not vectors: " + reason));
    }
  }

  /**
   * Finds the vector. One in the query is validated strictly; a failure to embed only degrades the
   * result.
   *
   * @param subject the embedded part of the query's text
   */
  public QueryVectorResult find(
      SearchQuery query, String subject, IndexRecipe recipe, boolean wanted) {
    if (query.vector().isPresent()) {
      return checkGivenVector(query, query.vector().get(), recipe);
    }
    if (!wanted || query.text().isBlank()) {
      return NOT_ASKED;
    }
    return embedder
        .map(present -> embedQuery(query, subject, present, recipe))
        .orElseGet(QueryVectorFinder::noEmbedder);
  }

  private static QueryVectorResult noEmbedder() {
    return QueryVectorResult.disabled("no embedding model is configured (models.provider)");
  }

  private QueryVectorResult checkGivenVector(
      SearchQuery query, SearchQuery.QueryVector vector, IndexRecipe recipe) {
    String model = recipe.model().orElse("none");
    if (!vector.model().equals(model)) {
      throw SearchException.modelMismatch(model, vector.model());
    }
    return result(
        query, EmbeddingValidator.requireValid(vector.values(), recipe.dimensions()), recipe);
  }

  private QueryVectorResult embedQuery(
      SearchQuery query, String subject, Embedder present, IndexRecipe recipe) {
    if (!recipe.fits(embedder)) {
      return QueryVectorResult.disabled(
          "the index has vectors of model '%s', but the configured model is '%s'"
              .formatted(recipe.model().orElse("none"), present.model()));
    }
    String key = present.cacheKey(query.purpose(), subject);
    Optional<float[]> cached = cache.get(key).or(() -> storedVector(query, key, present));
    EmbedderPause now = embedderPause;
    if (cached.isEmpty() && clock.instant().isBefore(now.until)) {
      return QueryVectorResult.disabled(now.reason);
    }
    try {
      return result(
          query, cached.orElseGet(() -> embed(present, key, query.purpose(), subject)), recipe);
    } catch (CaliberException e) {
      LOG.warn(
          "Space {}: embedding a query failed, searches use words only for a while. Cause: {}",
          query.space(),
          e.getMessage());
      embedderPause =
          new EmbedderPause(clock.instant().plus(e.retryAfter().orElse(pause)), e.toLine());
      return QueryVectorResult.disabled(e.toLine());
    }
  }

  /** Returns the cached vector: a text that is compared with documents is often one of them. */
  private Optional<float[]> storedVector(SearchQuery query, String key, Embedder present) {
    return query.purpose() == EmbeddingPurpose.PASSAGE
        ? store
            .read(query.space(), snapshot -> EmbeddingCache.get(snapshot, key, present.model()))
            .filter(kept -> kept.failure().isEmpty())
            .map(CachedEmbedding::vector)
            .filter(vector -> vector.length == present.dimensions())
        : Optional.empty();
  }

  private float[] embed(
      Embedder present, String key, EmbeddingPurpose embeddingPurpose, String subject) {
    float[] made =
        EmbeddingValidator.requireVector(
            present.embed(embeddingPurpose, List.of(subject)).getFirst(), present.dimensions());
    cache.put(key, made);
    return made;
  }

  private QueryVectorResult result(SearchQuery query, float[] vector, IndexRecipe recipe) {
    return new QueryVectorResult(
        VectorSimilarity.of(recipe.metric()).preparedVector(vector),
        calibration.flatMap(known -> known.knownModel(query.space())),
        Optional.empty());
  }
}
