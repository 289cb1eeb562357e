package dev.caliber.store.search;

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
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.store.Directory;

/**
 * One Lucene index of one space, made by one recipe. Changes come from one thread at a time;
 * searches from any.
 */
final class Generation implements AutoCloseable {

  private final String name;
  private final IndexRecipe recipe;
  private final Optional<Path> path;
  private final Directory directory;
  private final IndexWriter writer;
  private final SearcherManager searchers;
  private final Analysis analysis;
  private final DocumentMaker maker;
  private volatile IndexState state;
  private volatile boolean dirty;

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

  /** Puts the documents in place of whatever the record had. */
  void put(MadeDocument made) throws IOException {
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
    dirty |= !next.equals(state);
    state = next;
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

  /** Documents that wait for vectors, the smallest ids first. */
  List<String> pending(int limit) throws IOException {
    return search(searcher -> pending(searcher, limit));
  }

  private static List<String> pending(IndexSearcher searcher, int limit) throws IOException {
    Sort byId = new Sort(new SortField(IndexFormatV1.ID, SortField.Type.STRING));
    TopDocs found =
        searcher.search(
            new TermQuery(new Term(IndexFormatV1.PENDING, IndexFormatV1.YES)), limit, byId);
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

  /** Ends without a commit, as a crash would. */
  void abandon() throws IOException {
    searchers.close();
    writer.rollback();
    directory.close();
  }

  /** Keeps what was applied. */
  @Override
  public void close() throws IOException {
    commit();
    searchers.close();
    writer.close();
    directory.close();
    analysis.close();
  }
}
