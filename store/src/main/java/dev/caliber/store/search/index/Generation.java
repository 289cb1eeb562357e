package dev.caliber.store.search.index;

import dev.caliber.store.search.SearchException;
import dev.caliber.store.search.embed.CachedVectorLookup;
import dev.caliber.store.search.format.IndexFormatV1;
import dev.caliber.store.search.format.IndexRecipe;
import dev.caliber.store.search.format.IndexState;
import dev.caliber.store.search.format.IndexedDocument;
import dev.caliber.store.search.format.LiveVectorCounter;
import dev.caliber.store.search.format.RecordIdLookup;
import dev.caliber.store.search.format.VectorSimilarity;
import dev.caliber.store.search.format.WordAnalyzer;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.SortedNumericSortField;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.IOUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One Lucene index of one space, made by one recipe. One thread at a time changes it; any thread
 * may search it.
 */
final class Generation implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(Generation.class);

  private final String name;
  private final IndexRecipe recipe;
  private final Optional<Path> path;
  private final Directory directory;
  private final IndexWriter writer;
  private final SearcherManager searchers;
  private final WordAnalyzer wordAnalyzer;
  private final IndexDocumentFactory maker;
  private volatile IndexState state;
  private final int exactBelow;
  private volatile boolean dirty;
  private volatile boolean suspect;
  private int shown;

  Generation(
      OpenedIndexGeneration openedIndexGeneration, SpaceIndexDependencies spaceIndexDependencies)
      throws IOException {
    name = openedIndexGeneration.name();
    recipe = openedIndexGeneration.recipe();
    path = openedIndexGeneration.path();
    directory = openedIndexGeneration.directory();
    wordAnalyzer = new WordAnalyzer(recipe.analysis());
    maker =
        new IndexDocumentFactory(
            spaceIndexDependencies.declarations(),
            wordAnalyzer,
            new CachedVectorLookup(spaceIndexDependencies.embedder(), recipe),
            VectorSimilarity.of(recipe.metric()));
    writer =
        new IndexWriter(
            directory,
            LuceneWriterSetup.writerConfig(spaceIndexDependencies, recipe, wordAnalyzer));
    state = openedIndexGeneration.state();
    exactBelow = spaceIndexDependencies.config().dense().exactBelow();
    if (!state.complete()) {
      writer.getConfig().setMergePolicy(LuceneWriterSetup.buildMergePolicy());
    }
    searchers =
        new SearcherManager(
            writer, new LiveDocumentSearcherFactory(spaceIndexDependencies.config()));
  }

  /** Directory that was verified or newly created. */
  record OpenedIndexGeneration(
      String name,
      IndexRecipe recipe,
      Optional<Path> path,
      Directory directory,
      IndexState state) {}

  String name() {
    return name;
  }

  IndexRecipe recipe() {
    return recipe;
  }

  Optional<Path> path() {
    return path;
  }

  WordAnalyzer analysis() {
    return wordAnalyzer;
  }

  IndexDocumentFactory indexDocumentFactory() {
    return maker;
  }

  IndexState state() {
    return state;
  }

  /** Replaces the record's documents; one that Lucene refuses is marked as failed. */
  void put(IndexedDocument made) throws IOException {
    try {
      update(made);
    } catch (IllegalArgumentException e) {
      LOG.warn(
          "Record {} cannot be indexed and is marked as failed in the search index", made.id(), e);
      update(IndexDocumentFactory.failedDocument(made.id()));
    }
  }

  private void update(IndexedDocument made) throws IOException {
    writer.updateDocuments(new Term(IndexFormatV1.ID, made.id()), made.documents());
    dirty = true;
  }

  void delete(String id) throws IOException {
    writer.deleteDocuments(new Term(IndexFormatV1.ID, id));
    dirty = true;
  }

  /** Makes the changes visible to searches, then publishes the new state. */
  void advance(IndexState next) throws IOException {
    searchers.maybeRefreshBlocking();
    shown = writer.getDocStats().maxDoc;
    move(next);
  }

  /**
   * Advances while the index is built and no caller waits for a certain record: the changes become
   * visible each time the index has doubled, because each refresh creates another segment.
   */
  void advanceWhileBuilding(IndexState next) throws IOException {
    if (next.complete() || writer.getDocStats().maxDoc >= 2 * shown) {
      advance(next);
    } else {
      move(next);
    }
  }

  private void move(IndexState next) throws IOException {
    boolean completed = next.complete() && !state.complete();
    dirty |= !next.equals(state);
    state = next;
    if (completed) {
      writer.getConfig().setMergePolicy(LuceneWriterSetup.searchMergePolicy());
      writer.forceMerge(1, false); // in the background
    }
  }

  /** Returns whether searches are fast: a large index needs the graph over its vectors. */
  boolean isReady() throws IOException {
    return !isMerging()
        || search(searcher -> LiveVectorCounter.upperBound(searcher.getIndexReader()))
            <= exactBelow;
  }

  private boolean isMerging() {
    return writer.hasPendingMerges()
        || (writer.getConfig().getMergeScheduler() instanceof BoundedMergeScheduler merges
            && merges.mergeThreadCount() > 0);
  }

  /**
   * Writes documents and feed position to disk together; returns false if there was nothing to
   * write.
   */
  boolean commit() throws IOException {
    if (!dirty) {
      return false;
    }
    writer.setLiveCommitData(state.userData().entrySet());
    writer.commit();
    dirty = false;
    return true;
  }

  /** Merges into one segment. It takes long; changes may continue meanwhile. */
  void compact() throws IOException {
    writer.forceMerge(1);
    searchers.maybeRefreshBlocking();
    dirty = true;
  }

  /** Task on the present searcher. */
  interface SearcherTask<T> {
    T run(IndexSearcher searcher) throws IOException;
  }

  <T> T search(SearcherTask<T> searcherTask) throws IOException {
    IndexSearcher searcher = searchers.acquire();
    try {
      return searcherTask.run(searcher);
    } finally {
      searchers.release(searcher);
    }
  }

  /** Returns documents without vectors, the newest first. */
  List<String> pendingDocuments(int limit) throws IOException {
    return search(searcher -> pendingDocuments(searcher, limit));
  }

  private static List<String> pendingDocuments(IndexSearcher searcher, int limit)
      throws IOException {
    Sort byTime =
        new Sort(
            new SortedNumericSortField(IndexFormatV1.TIME, SortField.Type.LONG, true),
            new SortField(IndexFormatV1.ID, SortField.Type.STRING));
    TopDocs found =
        searcher.search(
            new TermQuery(new Term(IndexFormatV1.PENDING, IndexFormatV1.YES)), limit, byTime);
    List<String> ids = new ArrayList<>();
    RecordIdLookup names = new RecordIdLookup(searcher.getIndexReader());
    for (var document : found.scoreDocs) {
      ids.add(names.id(document.doc));
    }
    return ids;
  }

  long count(String flag) throws IOException {
    return search(
        searcher -> (long) searcher.count(new TermQuery(new Term(flag, IndexFormatV1.YES))));
  }

  /** Returns the number of vectors of live documents. */
  long vectorCount() throws IOException {
    return search(searcher -> sum(searcher.getIndexReader(), Generation::liveVectors));
  }

  private static long sum(IndexReader reader, ToLongFunction<LeafReader> count) {
    return reader.leaves().stream().map(LeafReaderContext::reader).mapToLong(count).sum();
  }

  private static long liveVectors(LeafReader leaf) {
    try {
      return LiveVectorCounter.count(leaf);
    } catch (IOException e) {
      throw SearchException.unreadable("Counting vectors", e);
    }
  }

  /** Marks the files for verification, because a search could not read them. */
  void markSuspect() {
    suspect = true;
  }

  boolean isSuspect() {
    return suspect;
  }

  /** Verifies the files if a search has failed on them, and returns the damage. */
  Optional<Throwable> findDamage() {
    if (!suspect) {
      return Optional.empty();
    }
    try {
      search(Generation::readWhole);
      suspect = false;
      return Optional.empty();
    } catch (AlreadyClosedException e) {
      throw e;
    } catch (IOException
        | RuntimeException
        | InternalError e) { // an InternalError: a mapped file was truncated
      return Optional.of(e);
    }
  }

  private static int readWhole(IndexSearcher searcher) throws IOException {
    for (LeafReaderContext leaf : searcher.getIndexReader().leaves()) {
      leaf.reader().checkIntegrity();
    }
    return searcher.getIndexReader().maxDoc();
  }

  /** Closes without a commit, as a crash would. */
  void closeWithoutCommit() throws IOException {
    IOUtils.close(searchers, writer::rollback, directory, wordAnalyzer);
  }

  /** Closes after a commit of the applied changes; if that fails, the previous commit remains. */
  @Override
  public void close() throws IOException {
    IOUtils.close(this::commit, searchers, writer, directory, wordAnalyzer);
  }
}
