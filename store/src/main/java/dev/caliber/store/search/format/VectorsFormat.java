package dev.caliber.store.search.format;

import dev.caliber.store.search.SearchBounds;
import dev.caliber.store.search.SearchConfig;
import java.io.IOException;
import org.apache.lucene.codecs.KnnVectorsFormat;
import org.apache.lucene.codecs.KnnVectorsReader;
import org.apache.lucene.codecs.KnnVectorsWriter;
import org.apache.lucene.codecs.lucene99.Lucene99HnswVectorsFormat;
import org.apache.lucene.index.SegmentReadState;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.store.IOContext;

/**
 * Lucene's graph format under Lucene's name, by which its own class reads the files, with two
 * changes: vectors may have as many dimensions as models have, and small segments have no graph.
 */
final class VectorsFormat extends KnnVectorsFormat {

  private final KnnVectorsFormat flushed;
  private final KnnVectorsFormat merged;

  VectorsFormat(IndexRecipe recipe, SearchConfig.DenseSettings rules) {
    super("Lucene99HnswVectorsFormat");
    boolean exact = recipe.index() == SearchConfig.VectorIndexType.EXACT;
    flushed = format(recipe, Integer.MAX_VALUE); // it is merged soon, which would waste a graph
    merged = format(recipe, exact ? Integer.MAX_VALUE : sought(rules.graphMinVectors()));
  }

  private static KnnVectorsFormat format(IndexRecipe recipe, int sought) {
    return new Lucene99HnswVectorsFormat(
        recipe.hnswM(), recipe.hnswEfConstruction(), 1, null, sought);
  }

  /**
   * Returns the number of sought vectors from which Lucene builds a graph: it does so where it
   * expects a search for that many to visit fewer than all, estimated as the logarithm of all times
   * that many.
   */
  private static int sought(int vectors) {
    return (int) (vectors / Math.log(vectors));
  }

  @Override
  public KnnVectorsWriter fieldsWriter(SegmentWriteState state) throws IOException {
    boolean merging = state.context.context() == IOContext.Context.MERGE;
    return (merging ? merged : flushed).fieldsWriter(state);
  }

  @Override
  public KnnVectorsReader fieldsReader(SegmentReadState state) throws IOException {
    return merged.fieldsReader(state);
  }

  @Override
  public int getMaxDimensions(String field) {
    return SearchBounds.MAX_DIMENSIONS;
  }
}
