package dev.caliber.store.search;

import java.io.IOException;
import org.apache.lucene.codecs.KnnVectorsFormat;
import org.apache.lucene.codecs.KnnVectorsReader;
import org.apache.lucene.codecs.KnnVectorsWriter;
import org.apache.lucene.codecs.lucene99.Lucene99HnswVectorsFormat;
import org.apache.lucene.index.SegmentReadState;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.store.IOContext;

/**
 * Lucene's graph under Lucene's name, by which its own class reads the files, with two rules of
 * ours: vectors may have as many dimensions as models have, and small parts have no graph.
 */
final class VectorsFormat extends KnnVectorsFormat {

  private final KnnVectorsFormat flushed;
  private final KnnVectorsFormat merged;

  VectorsFormat(IndexRecipe recipe, SearchConfig.Dense rules) {
    super("Lucene99HnswVectorsFormat");
    boolean exact = recipe.index() == SearchConfig.VectorIndex.EXACT;
    flushed = graph(recipe, exact ? Integer.MAX_VALUE : flushedFrom(rules));
    merged = graph(recipe, exact ? Integer.MAX_VALUE : rules.graphFrom());
  }

  /** What was just written is soon merged, and its graph thrown away with it. */
  private static int flushedFrom(SearchConfig.Dense rules) {
    return Math.max(rules.graphFrom(), rules.exactBelow());
  }

  private static KnnVectorsFormat graph(IndexRecipe recipe, int from) {
    return new Lucene99HnswVectorsFormat(
        recipe.hnswM(), recipe.hnswEfConstruction(), 1, null, from);
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
