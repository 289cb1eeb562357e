package dev.caliber.store.search;

import org.apache.lucene.codecs.KnnVectorsFormat;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.codecs.lucene99.Lucene99HnswVectorsFormat;

/** Lucene's codec with our graph: none in segments that are small enough to be compared whole. */
final class IndexCodec extends Lucene104Codec {

  private final KnnVectorsFormat vectors;

  IndexCodec(IndexRecipe recipe, int graphFrom) {
    int threshold =
        recipe.index() == SearchConfig.VectorIndex.EXACT ? Integer.MAX_VALUE : graphFrom;
    vectors =
        new Lucene99HnswVectorsFormat(
            recipe.hnswM(), recipe.hnswEfConstruction(), 1, null, threshold);
  }

  @Override
  public KnnVectorsFormat getKnnVectorsFormatForField(String field) {
    return vectors;
  }
}
