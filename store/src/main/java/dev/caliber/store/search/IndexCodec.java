package dev.caliber.store.search;

import org.apache.lucene.codecs.KnnVectorsFormat;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;

/** Lucene's codec with our way of keeping vectors. */
final class IndexCodec extends Lucene104Codec {

  private final KnnVectorsFormat vectors;

  IndexCodec(IndexRecipe recipe, SearchConfig.Dense rules) {
    vectors = new VectorsFormat(recipe, rules);
  }

  @Override
  public KnnVectorsFormat getKnnVectorsFormatForField(String field) {
    return vectors;
  }
}
