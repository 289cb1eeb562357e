package dev.caliber.store.search;

import dev.caliber.store.Transaction;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;

/**
 * Takes vectors out of the cache whose text has gone. The index says which documents may still use
 * one, and their records have the last word. A document that the index does not know yet finds
 * nothing when it gets there, and is embedded again.
 */
final class VectorSweep {

  /** How many old vectors are looked at in one commit, which others wait for. */
  private static final int TOGETHER_BOUND = 100;

  private final Machinery machinery;
  private final Optional<Generation> generation;
  private final VectorSource vectors;

  /**
   * @param recipe by which the vectors were made
   */
  VectorSweep(Machinery machinery, Optional<Generation> generation, Optional<IndexRecipe> recipe) {
    this.machinery = machinery;
    this.generation = generation;
    this.vectors = new VectorSource(machinery.embedder(), recipe.orElseGet(machinery::recipe));
  }

  void sweep(Transaction transaction, Collection<String> texts) {
    for (String text : texts) {
      for (String chunk : vectors.chunks(text.strip())) {
        sweepChunk(transaction, chunk);
      }
    }
  }

  private void sweepChunk(Transaction transaction, String chunk) {
    String key = vectors.hash(chunk);
    boolean used =
        generation.filter(present -> isUsed(transaction, present, key, chunk)).isPresent();
    if (!used) {
      EmbeddingCache.delete(transaction, key, machinery.records());
    }
  }

  /** Without an index that knows all that is used nothing goes. */
  SearchIndex.Pruned prune(Transaction transaction, int batch) {
    Duration age = machinery.config().embedding().cacheRetention();
    return generation
        .map(
            present ->
                EmbeddingCache.prune(
                    transaction,
                    transaction.now().minus(age),
                    Math.min(batch, together()),
                    cached -> isUsed(present, cached)))
        .orElse(new SearchIndex.Pruned(0, false));
  }

  private int together() {
    return Math.min(TOGETHER_BOUND, machinery.limits().reads().pageLimit());
  }

  /** Vectors of another model serve nobody any more. */
  private boolean isUsed(Generation present, CachedEmbedding cached) {
    return present.recipe().model().filter(cached.model()::equals).isPresent()
        && !users(present, cached.hash(), 1).isEmpty();
  }

  private boolean isUsed(Transaction transaction, Generation present, String key, String chunk) {
    return users(present, key, machinery.records()).stream()
        .map(id -> machinery.declared().embeddedText(transaction, id))
        .anyMatch(text -> vectors.chunks(text).contains(chunk));
  }

  private static List<String> users(Generation present, String key, int limit) {
    try {
      return present.search(searcher -> users(searcher, key, limit));
    } catch (IOException e) {
      throw SearchException.unreadable("Looking for users of a vector", e);
    }
  }

  private static List<String> users(IndexSearcher searcher, String key, int limit)
      throws IOException {
    DocumentIds names = new DocumentIds(searcher.getIndexReader());
    List<String> ids = new ArrayList<>();
    TermQuery query = new TermQuery(new Term(IndexFormatV1.KEY, key));
    for (ScoreDoc found : searcher.search(query, limit).scoreDocs) {
      ids.add(names.id(found.doc));
    }
    return ids;
  }
}
