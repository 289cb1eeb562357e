package dev.caliber.store.search;

import dev.caliber.kernel.Hashing;
import dev.caliber.kernel.Json;
import dev.caliber.store.spi.Embedder;
import java.util.Optional;

/**
 * Everything that a directory's content depends on beside the records. Another recipe is another
 * generation of the index.
 */
record IndexRecipe(
    int format,
    String declarations,
    SearchConfig.Analysis analysis,
    SearchConfig.Chunks chunks,
    SearchConfig.Metric metric,
    SearchConfig.VectorIndex index,
    int hnswM,
    int hnswEfConstruction,
    Optional<String> model,
    int dimensions) {

  private static final int FINGERPRINT = 12;

  static IndexRecipe of(
      Searchables declared, SearchConfig config, Optional<String> model, int dimensions) {
    return new IndexRecipe(
        IndexFormatV1.NUMBER,
        declared.fingerprint(),
        config.analysis(),
        config.chunks(),
        config.dense().metric(),
        config.dense().index(),
        config.dense().hnswM(),
        config.dense().hnswEfConstruction(),
        model,
        dimensions);
  }

  /** With the model of another, for as long as there is no embedder that says more. */
  IndexRecipe withModelOf(IndexRecipe other) {
    return new IndexRecipe(
        format,
        declarations,
        analysis,
        chunks,
        metric,
        index,
        hnswM,
        hnswEfConstruction,
        other.model,
        other.dimensions);
  }

  boolean fits(Optional<Embedder> embedder) {
    return embedder.isPresent()
        && model.equals(embedder.map(Embedder::model))
        && dimensions == embedder.get().dimensions();
  }

  String fingerprint() {
    return Hashing.hash("index", Json.text(this)).substring(0, FINGERPRINT);
  }
}
