package dev.caliber.store.search;

import dev.caliber.store.spi.Embedder.Purpose;
import java.util.Optional;

/**
 * A query's vector without what all questions have in common. Texts that say little lie near to
 * every question; the angle between a question and a text, both seen from the mean of their kind,
 * is near 0 for them and for everything else that is unrelated.
 *
 * @param unit the query's vector less the mean of questions, of length 1
 * @param offset the product of it and the mean of texts
 * @param spread the usual length of a text's vector less the mean of texts
 */
@SuppressWarnings("ArrayRecordComponent") // two of them are never compared
record CenteredQuery(float[] unit, double offset, double spread) {

  /* Shorter than this a difference of vectors is noise and has no direction. */
  private static final double LEAST_LENGTH = 0.1;

  /** Empty where nothing was measured, and where query or texts are all but their mean. */
  static Optional<CenteredQuery> of(Asked asked, SearchConfig.Metric metric) {
    return metric == SearchConfig.Metric.COSINE && asked.vector().isPresent()
        ? asked.model().flatMap(model -> of(asked.vector().get(), mean(asked, model), model))
        : Optional.empty();
  }

  private static float[] mean(Asked asked, EmbeddingModel model) {
    return asked.query().purpose() == Purpose.QUERY ? model.questions() : model.passages();
  }

  private static Optional<CenteredQuery> of(float[] query, float[] mean, EmbeddingModel model) {
    float[] centred = new float[query.length];
    double squares = 0;
    for (int i = 0; i < query.length; i++) {
      centred[i] = query[i] - mean[i];
      squares += (double) centred[i] * centred[i];
    }
    return Math.sqrt(squares) < LEAST_LENGTH
        ? Optional.empty()
        : Similarity.COSINE
            .prepared(centred)
            .map(unit -> of(unit, model.passages()))
            .filter(ready -> ready.spread >= LEAST_LENGTH);
  }

  private static CenteredQuery of(float[] unit, float[] passages) {
    double offset = 0;
    double squares = 0;
    for (int i = 0; i < unit.length; i++) {
      offset += (double) unit[i] * passages[i];
      squares += (double) passages[i] * passages[i];
    }
    return new CenteredQuery(unit, offset, Math.sqrt(Math.max(0, 1 - squares)));
  }

  /**
   * About 0 for unrelated texts, at most about 1, by the product of the unit and a text's vector.
   */
  double similarity(double product) {
    return (product - offset) / spread;
  }
}
