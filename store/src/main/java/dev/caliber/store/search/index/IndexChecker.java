package dev.caliber.store.search.index;

import dev.caliber.kernel.FieldHash;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.Page;
import dev.caliber.store.PageCursor;
import dev.caliber.store.ProgressListener;
import dev.caliber.store.Query;
import dev.caliber.store.Row;
import dev.caliber.store.Snapshot;
import dev.caliber.store.search.IndexCheckReport;
import dev.caliber.store.search.SearchBounds;
import dev.caliber.store.search.Searchable;
import dev.caliber.store.search.format.IndexFormatV1;
import dev.caliber.store.search.format.IndexedDocument;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.util.Bits;

/** Check that recreates every document and compares it with the one in the index. */
final class IndexChecker {

  private final SpaceIndexDependencies spaceIndexDependencies;
  private final SpaceId space;
  private final Generation generation;
  private final List<String> examples = new ArrayList<>();
  private long differences;
  private long looked;

  IndexChecker(
      SpaceIndexDependencies spaceIndexDependencies, SpaceId space, Generation generation) {
    this.spaceIndexDependencies = spaceIndexDependencies;
    this.space = space;
    this.generation = generation;
  }

  IndexCheckReport check(ProgressListener progressListener) throws IOException {
    Map<String, String> held = generation.search(IndexChecker::fingerprints);
    String digest = digest(held);
    long documents = held.size();
    for (Searchable<?> searchable : spaceIndexDependencies.declarations().all()) {
      compare(searchable, held, progressListener);
    }
    held.keySet().forEach(id -> reportDifference(id, "is in the index and not in the records"));
    return new IndexCheckReport(documents, generation.vectorCount(), digest, differences, examples);
  }

  private static String digest(Map<String, String> held) {
    List<String> parts = new ArrayList<>();
    held.forEach(
        (id, print) -> {
          parts.add(id);
          parts.add(print);
        });
    return FieldHash.hash("index-content", parts.toArray(String[]::new));
  }

  private static Map<String, String> fingerprints(IndexSearcher searcher) throws IOException {
    Map<String, String> prints = new TreeMap<>();
    for (LeafReaderContext leaf : searcher.getIndexReader().leaves()) {
      SortedDocValues ids = leaf.reader().getSortedDocValues(IndexFormatV1.ID);
      SortedDocValues each = leaf.reader().getSortedDocValues(IndexFormatV1.PRINT);
      Bits live = leaf.reader().getLiveDocs();
      while (ids != null && each != null && each.nextDoc() != DocIdSetIterator.NO_MORE_DOCS) {
        if ((live == null || live.get(each.docID())) && ids.advanceExact(each.docID())) {
          prints.put(text(ids), text(each));
        }
      }
    }
    return prints;
  }

  private static String text(SortedDocValues values) throws IOException {
    return values.lookupOrd(values.ordValue()).utf8ToString();
  }

  private <T> void compare(
      Searchable<T> table, Map<String, String> held, ProgressListener progressListener) {
    Optional<PageCursor> place = Optional.empty();
    do {
      Query<T> all = Query.over(table.table());
      Query<T> rest = place.map(all::resume).orElse(all);
      place =
          spaceIndexDependencies
              .store()
              .read(space, snapshot -> comparePage(snapshot, table, rest, held));
      progressListener.onProgress("Comparing records", looked, -1);
    } while (place.isPresent());
  }

  private <T> Optional<PageCursor> comparePage(
      Snapshot snapshot, Searchable<T> table, Query<T> rest, Map<String, String> held) {
    Page<T> page = snapshot.scan(rest, spaceIndexDependencies.recordsPerStep());
    for (Row<T> row : page.rows()) {
      compareRow(snapshot, table, row.record(), held);
      looked++;
    }
    return page.next();
  }

  private <T> void compareRow(
      Snapshot snapshot, Searchable<T> table, T record, Map<String, String> held) {
    String id = Searchable.documentId(table.table().name(), table.table().keyOf(record));
    Optional<String> wanted =
        generation
            .indexDocumentFactory()
            .make(snapshot, table, id, record)
            .map(IndexedDocument::fingerprint);
    Optional<String> found = Optional.ofNullable(held.remove(id));
    if (!wanted.equals(found)) {
      reportDifference(
          id, found.isEmpty() ? "is missing from the index" : "is outdated in the index");
    }
  }

  private void reportDifference(String id, String how) {
    differences++;
    if (examples.size() < SearchBounds.NAMED_DIFFERENCES) {
      examples.add(id + " " + how);
    }
  }
}
