package dev.caliber.store.search;

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
 * One Lucene index of one space, made by one recipe. Changes come from one thread at a time;
 * searches from any.
 */
final class Generation implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(Generation.class);

  private final String name;
  private final IndexRecipe recipe;
  private final Optional<Path> path;
  private final Directory directory;
  private final IndexWriter writer;
  private final SearcherManager searchers;
  private final Analysis analysis;
  private final DocumentMaker maker;
  private volatile IndexState state;
  private final int exactBelow;
  private volatile boolean dirty;
  private volatile boolean suspect;
  private int shown;

  Generation(Opened opened, Machinery machinery) throws IOException {
    name = opened.name();
    recipe = opened.recipe();
    path = opened.path();
    directory = opened.directory();
    analysis = new Analysis(recipe.analysis());
    maker =
        new DocumentMaker(
            machinery.declared(),
            analysis,
            new VectorSource(machinery.embedder(), recipe),
            Similarity.of(recipe.metric()));
    writer = new IndexWriter(directory, WriterSettings.of(machinery, recipe, analysis));
    state = opened.state();
    exactBelow = machinery.config().dense().exactBelow();
    if (!state.complete()) {
      writer.getConfig().setMergePolicy(WriterSettings.whileBuilding());
    }
    searchers = new SearcherManager(writer, new LiveSearchers(machinery.config()));
  }

  /** A directory that was found good, or made. */
  record Opened(
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

  Analysis analysis() {
    return analysis;
  }

  DocumentMaker maker() {
    return maker;
  }

  IndexState state() {
    return state;
  }

  /** Puts the documents in place of whatever the record had; what Lucene refuses is marked. */
  void put(MadeDocument made) throws IOException {
    try {
      update(made);
    } catch (IllegalArgumentException e) {
      LOG.warn("The record {} cannot be indexed and is marked as failed", made.id(), e);
      update(DocumentMaker.failed(made.id()));
    }
  }

  private void update(MadeDocument made) throws IOException {
    writer.updateDocuments(new Term(IndexFormatV1.ID, made.id()), made.documents());
    dirty = true;
  }

  void delete(String id) throws IOException {
    writer.deleteDocuments(new Term(IndexFormatV1.ID, id));
    dirty = true;
  }

  /** Shows what was changed to searches, and only then says that it was applied. */
  void advance(IndexState next) throws IOException {
    searchers.maybeRefreshBlocking();
    shown = writer.getDocStats().maxDoc;
    move(next);
  }

  /**
   * The same while all records are read, when nobody waits for a certain one: searches are shown
   * more each time it has doubled, because each look costs another part of the index.
   */
  void gather(IndexState next) throws IOException {
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
      writer.getConfig().setMergePolicy(WriterSettings.lasting());
      writer.forceMerge(1, false); // in the background
    }
  }

  /** Whether searches are fast: a large index is, once the graph over its vectors is built. */
  boolean isReady() throws IOException {
    return !isMerging()
        || search(searcher -> LiveVectors.atMost(searcher.getIndexReader())) <= exactBelow;
  }

  private boolean isMerging() {
    return writer.hasPendingMerges()
        || (writer.getConfig().getMergeScheduler() instanceof BoundedMerges merges
            && merges.mergeThreadCount() > 0);
  }

  /** Writes documents and place to disk together; false if there was nothing to write. */
  boolean commit() throws IOException {
    if (!dirty) {
      return false;
    }
    writer.setLiveCommitData(state.userData().entrySet());
    writer.commit();
    dirty = false;
    return true;
  }

  /** Merges into one segment, for those who have time; changes may go on meanwhile. */
  void compact() throws IOException {
    writer.forceMerge(1);
    searchers.maybeRefreshBlocking();
    dirty = true;
  }

  /** Work on what searches see at this moment. */
  interface Look<T> {
    T at(IndexSearcher searcher) throws IOException;
  }

  <T> T search(Look<T> look) throws IOException {
    IndexSearcher searcher = searchers.acquire();
    try {
      return look.at(searcher);
    } finally {
      searchers.release(searcher);
    }
  }

  /** Documents that wait for vectors, the newest first. */
  List<String> pending(int limit) throws IOException {
    return search(searcher -> pending(searcher, limit));
  }

  private static List<String> pending(IndexSearcher searcher, int limit) throws IOException {
    Sort byTime =
        new Sort(
            new SortedNumericSortField(IndexFormatV1.TIME, SortField.Type.LONG, true),
            new SortField(IndexFormatV1.ID, SortField.Type.STRING));
    TopDocs found =
        searcher.search(
            new TermQuery(new Term(IndexFormatV1.PENDING, IndexFormatV1.YES)), limit, byTime);
    List<String> ids = new ArrayList<>();
    DocumentIds names = new DocumentIds(searcher.getIndexReader());
    for (var document : found.scoreDocs) {
      ids.add(names.id(document.doc));
    }
    return ids;
  }

  long count(String flag) throws IOException {
    return search(
        searcher -> (long) searcher.count(new TermQuery(new Term(flag, IndexFormatV1.YES))));
  }

  /** Vectors of live documents. */
  long vectors() throws IOException {
    return search(searcher -> sum(searcher.getIndexReader(), Generation::liveVectors));
  }

  private static long sum(IndexReader reader, ToLongFunction<LeafReader> count) {
    return reader.leaves().stream().map(LeafReaderContext::reader).mapToLong(count).sum();
  }

  private static long liveVectors(LeafReader leaf) {
    try {
      return LiveVectors.count(leaf);
    } catch (IOException e) {
      throw SearchException.unreadable("Counting vectors", e);
    }
  }

  /** A search could not read it: it is to be read whole. */
  void suspect() {
    suspect = true;
  }

  boolean isSuspect() {
    return suspect;
  }

  /** What is wrong with the files, if a search had reason to ask. */
  Optional<Throwable> damage() {
    if (!suspect) {
      return Optional.empty();
    }
    try {
      search(Generation::readWhole);
      suspect = false;
      return Optional.empty();
    } catch (AlreadyClosedException e) {
      throw e;
    } catch (IOException | RuntimeException | InternalError e) { // the last: a mapped file was cut
      return Optional.of(e);
    }
  }

  private static int readWhole(IndexSearcher searcher) throws IOException {
    for (LeafReaderContext leaf : searcher.getIndexReader().leaves()) {
      leaf.reader().checkIntegrity();
    }
    return searcher.getIndexReader().maxDoc();
  }

  /** Ends without a commit, as a crash would. */
  void abandon() throws IOException {
    IOUtils.close(searchers, writer::rollback, directory, analysis);
  }

  /** Keeps what was applied; if that fails, what was committed before. */
  @Override
  public void close() throws IOException {
    IOUtils.close(this::commit, searchers, writer, directory, analysis);
  }
}
