package dev.caliber.store.search.format;

import dev.caliber.kernel.FieldHash;
import dev.caliber.kernel.Json;
import dev.caliber.store.search.SearchConfig;
import dev.caliber.store.spi.Embedder;
import java.util.Optional;

/**
 * Everything except the records that determines a directory's content. Another recipe is another
 * generation of the index.
 */
public record IndexRecipe(
    int format,
    String declarations,
    SearchConfig.WordAnalysisSettings analysis,
    SearchConfig.ChunkSettings chunks,
    SearchConfig.VectorMetric metric,
    SearchConfig.VectorIndexType index,
    int hnswM,
    int hnswEfConstruction,
    Optional<String> model,
    int dimensions) {

  private static final int FINGERPRINT = 12;

  public static IndexRecipe of(
      SearchDeclarations declared, SearchConfig config, Optional<String> model, int dimensions) {
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

  /** Returns this recipe with the model of another one, for use while no embedder is available. */
  public IndexRecipe withModelOf(IndexRecipe other) {
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

  public boolean fits(Optional<Embedder> embedder) {
    return embedder.isPresent()
        && model.equals(embedder.map(Embedder::model))
        && dimensions == embedder.get().dimensions();
  }

  public String fingerprint() {
    return FieldHash.hash("index", Json.text(this)).substring(0, FINGERPRINT);
  }
}
