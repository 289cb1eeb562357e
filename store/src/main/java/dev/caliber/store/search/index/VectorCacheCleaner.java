package dev.caliber.store.search.index;

import dev.caliber.store.Transaction;
import dev.caliber.store.search.SearchException;
import dev.caliber.store.search.SearchIndex;
import dev.caliber.store.search.embed.CachedEmbedding;
import dev.caliber.store.search.embed.CachedVectorLookup;
import dev.caliber.store.search.embed.EmbeddingCache;
import dev.caliber.store.search.format.IndexFormatV1;
import dev.caliber.store.search.format.IndexRecipe;
import dev.caliber.store.search.format.RecordIdLookup;
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
 * Cleaner that removes cached vectors whose text no longer exists. The index tells which documents
 * may still use one, and their records decide. A document that is not indexed yet finds no vector
 * later, and is embedded again.
 */
final class VectorCacheCleaner {

  /** Number of old vectors checked in one commit, for which other writes wait. */
  private static final int TOGETHER_BOUND = 100;

  private final SpaceIndexDependencies spaceIndexDependencies;
  private final Optional<Generation> generation;
  private final CachedVectorLookup vectors;

  /**
   * @param recipe by which the vectors were made
   */
  VectorCacheCleaner(
      SpaceIndexDependencies spaceIndexDependencies,
      Optional<Generation> generation,
      Optional<IndexRecipe> recipe) {
    this.spaceIndexDependencies = spaceIndexDependencies;
    this.generation = generation;
    this.vectors =
        new CachedVectorLookup(
            spaceIndexDependencies.embedder(), recipe.orElseGet(spaceIndexDependencies::recipe));
  }

  void deleteUnusedVectors(Transaction transaction, Collection<String> texts) {
    for (String text : texts) {
      for (String chunk : vectors.chunks(text.strip())) {
        deleteIfUnused(transaction, chunk);
      }
    }
  }

  private void deleteIfUnused(Transaction transaction, String chunk) {
    String key = vectors.hash(chunk);
    boolean used =
        generation.filter(present -> isUsed(transaction, present, key, chunk)).isPresent();
    if (!used) {
      EmbeddingCache.delete(transaction, key, spaceIndexDependencies.recordsPerStep());
    }
  }

  /** Removes unused vectors; none without an index that knows all used ones. */
  SearchIndex.VectorPruneResult prune(Transaction transaction, int batch) {
    Duration age = spaceIndexDependencies.config().embedding().cacheRetention();
    return generation
        .map(
            present ->
                EmbeddingCache.prune(
                    transaction,
                    transaction.now().minus(age),
                    Math.min(batch, batchSize()),
                    cached -> isUsed(present, cached)))
        .orElse(new SearchIndex.VectorPruneResult(0, false));
  }

  private int batchSize() {
    return Math.min(TOGETHER_BOUND, spaceIndexDependencies.storeConfig().reads().pageLimit());
  }

  /** Returns whether the vector is used; vectors of another model never are. */
  private boolean isUsed(Generation present, CachedEmbedding cached) {
    return present.recipe().model().filter(cached.model()::equals).isPresent()
        && !documentsUsing(present, cached.hash(), 1).isEmpty();
  }

  private boolean isUsed(Transaction transaction, Generation present, String key, String chunk) {
    return documentsUsing(present, key, spaceIndexDependencies.recordsPerStep()).stream()
        .map(id -> spaceIndexDependencies.declarations().embeddedText(transaction, id))
        .anyMatch(text -> vectors.chunks(text).contains(chunk));
  }

  private static List<String> documentsUsing(Generation present, String key, int limit) {
    try {
      return present.search(searcher -> documentsUsing(searcher, key, limit));
    } catch (IOException e) {
      throw SearchException.unreadable("Looking for users of a vector", e);
    }
  }

  private static List<String> documentsUsing(IndexSearcher searcher, String key, int limit)
      throws IOException {
    RecordIdLookup names = new RecordIdLookup(searcher.getIndexReader());
    List<String> ids = new ArrayList<>();
    TermQuery query = new TermQuery(new Term(IndexFormatV1.KEY, key));
    for (ScoreDoc found : searcher.search(query, limit).scoreDocs) {
      ids.add(names.id(found.doc));
    }
    return ids;
  }
}
