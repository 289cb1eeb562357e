package dev.caliber.store.search.rank;

import dev.caliber.store.search.SearchConfig;
import dev.caliber.store.search.embed.EmbeddingModelStatistics;
import dev.caliber.store.search.format.VectorSimilarity;
import dev.caliber.store.spi.Embedder.EmbeddingPurpose;
import java.util.Optional;

/**
 * Query vector less the mean of all questions. Texts with little content are near to every
 * question; seen from the means of questions and of texts, the cosine of a question and such a
 * text, or any unrelated text, is near 0.
 *
 * @param unit the query's vector less the mean of questions, of length 1
 * @param offset the product of it and the mean of texts
 * @param spread the usual length of a text's vector less the mean of texts
 */
@SuppressWarnings("ArrayRecordComponent") // two of them are never compared
record CenteredQuery(float[] unit, double offset, double spread) {

  /* Least length of a difference of vectors; a shorter one is noise and has no direction. */
  private static final double LEAST_LENGTH = 0.1;

  /**
   * Returns the centered query; empty if the model has no means, or query or texts hardly differ
   * from their mean.
   */
  static Optional<CenteredQuery> of(
      PreparedQuery preparedQuery, SearchConfig.VectorMetric vectorMetric) {
    return vectorMetric == SearchConfig.VectorMetric.COSINE && preparedQuery.vector().isPresent()
        ? preparedQuery
            .model()
            .flatMap(model -> of(preparedQuery.vector().get(), mean(preparedQuery, model), model))
        : Optional.empty();
  }

  private static float[] mean(PreparedQuery preparedQuery, EmbeddingModelStatistics model) {
    return preparedQuery.query().purpose() == EmbeddingPurpose.QUERY
        ? model.questions()
        : model.passages();
  }

  private static Optional<CenteredQuery> of(
      float[] query, float[] mean, EmbeddingModelStatistics model) {
    float[] centred = new float[query.length];
    double squares = 0;
    for (int i = 0; i < query.length; i++) {
      centred[i] = query[i] - mean[i];
      squares += (double) centred[i] * centred[i];
    }
    return Math.sqrt(squares) < LEAST_LENGTH
        ? Optional.empty()
        : VectorSimilarity.COSINE
            .preparedVector(centred)
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
   * Returns the similarity for the product of the unit and a text's vector: about 0 for unrelated
   * texts, at most about 1.
   */
  double similarity(double product) {
    return (product - offset) / spread;
  }
}
