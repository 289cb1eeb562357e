package dev.caliber.store.search.format;

import dev.caliber.store.search.SearchConfig;
import org.apache.lucene.codecs.KnnVectorsFormat;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;

/** Lucene's codec with the vector format of this index. */
public final class IndexCodec extends Lucene104Codec {

  private final KnnVectorsFormat vectors;

  public IndexCodec(IndexRecipe recipe, SearchConfig.DenseSettings rules) {
    vectors = new VectorsFormat(recipe, rules);
  }

  @Override
  public KnnVectorsFormat getKnnVectorsFormatForField(String field) {
    return vectors;
  }
}
