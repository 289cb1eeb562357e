package dev.caliber.store.search.index;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.ChangeKind;
import dev.caliber.store.Commit;
import dev.caliber.store.FeedCursor;
import dev.caliber.store.Page;
import dev.caliber.store.Query;
import dev.caliber.store.RecordChange;
import dev.caliber.store.Row;
import dev.caliber.store.Snapshot;
import dev.caliber.store.search.SearchException;
import dev.caliber.store.search.Searchable;
import dev.caliber.store.search.embed.EmbeddingCache;
import dev.caliber.store.search.embed.EmbeddingNotification;
import dev.caliber.store.search.format.IndexFormatV1;
import dev.caliber.store.search.format.IndexState;
import dev.caliber.store.search.format.IndexedDocument;
import dev.caliber.store.search.format.KeywordValues;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Updater of a generation, in bounded steps: first all records, then the feed. */
final class GenerationFollower {

  private static final Logger LOG = LoggerFactory.getLogger(GenerationFollower.class);

  private final SpaceIndexDependencies spaceIndexDependencies;
  private final SpaceId space;
  private final Generation generation;
  private long scanned;

  GenerationFollower(
      SpaceIndexDependencies spaceIndexDependencies, SpaceId space, Generation generation) {
    this.spaceIndexDependencies = spaceIndexDependencies;
    this.space = space;
    this.generation = generation;
  }

  Generation generation() {
    return generation;
  }

  /** Returns the number of records read so far to build it. */
  long scannedRecords() {
    return scanned;
  }

  /** Executes one step; returns true if there may be more to do. */
  boolean step() throws IOException {
    return generation.state().complete() ? followFeed() : readRecords();
  }

  private boolean readRecords() throws IOException {
    IndexState state = generation.state();
    Optional<Searchable<?>> table =
        state.scanTable().isEmpty()
            ? spaceIndexDependencies.declarations().next(null)
            : spaceIndexDependencies.declarations().find(state.scanTable().get());
    if (table.isEmpty()) {
      generation.advance(state.asComplete());
      generation.commit();
    } else {
      generation.advanceWhileBuilding(readPage(state, table.get()));
    }
    return true;
  }

  private <T> IndexState readPage(IndexState state, Searchable<T> table) throws IOException {
    DocumentPage documentPage =
        spaceIndexDependencies
            .store()
            .read(space, snapshot -> readPage(snapshot, table, state.scanKey()));
    for (DocumentUpdate documentUpdate : documentPage.made) {
      applyUpdate(documentUpdate);
    }
    scanned += documentPage.made.size();
    if (documentPage.last.isPresent()) {
      return state.withScanPosition(table.table().name(), documentPage.last);
    }
    return spaceIndexDependencies
        .declarations()
        .next(table.table().name())
        .map(next -> state.withScanPosition(next.table().name(), Optional.empty()))
        .orElse(state.asComplete());
  }

  /** Documents of a page, and the key to continue from; empty at the end of the table. */
  private record DocumentPage(List<DocumentUpdate> made, Optional<String> last) {}

  /** Present documents of an id; empty if they should be removed. */
  private record DocumentUpdate(String id, Optional<IndexedDocument> document) {}

  private <T> DocumentPage readPage(Snapshot snapshot, Searchable<T> table, Optional<String> from) {
    Query<T> all = Query.over(table.table());
    Page<T> page =
        snapshot.scan(from.map(all::from).orElse(all), 1 + spaceIndexDependencies.recordsPerStep());
    List<DocumentUpdate> made = new ArrayList<>();
    String last = "";
    for (Row<T> row : page.rows()) {
      last = table.table().keyOf(row.record());
      String id = Searchable.documentId(table.table().name(), last);
      made.add(
          new DocumentUpdate(
              id, generation.indexDocumentFactory().make(snapshot, table, id, row.record())));
    }
    return new DocumentPage(made, page.next().isPresent() ? Optional.of(last) : Optional.empty());
  }

  private boolean followFeed() throws IOException {
    FeedCursor cursor = generation.state().cursor();
    List<Commit> commits =
        spaceIndexDependencies
            .store()
            .changes()
            .read(space, cursor, spaceIndexDependencies.commitsPerStep());
    if (commits.isEmpty()) {
      return false;
    }
    Set<String> touched = new LinkedHashSet<>();
    for (Commit commit : commits) {
      commit.changes().forEach(recordChange -> collectTouchedIds(recordChange, touched));
    }
    updateDocuments(List.copyOf(touched));
    generation.advance(
        generation
            .state()
            .withCursor(new FeedCursor(cursor.epoch(), commits.getLast().sequence())));
    return commits.size() == spaceIndexDependencies.commitsPerStep();
  }

  private void collectTouchedIds(RecordChange recordChange, Set<String> touched) {
    if (spaceIndexDependencies.declarations().find(recordChange.table()).isPresent()) {
      touched.add(Searchable.documentId(recordChange.table(), recordChange.key()));
    } else if (recordChange.table().equals(EmbeddingCache.BATCHES.name())
        && recordChange.kind() != ChangeKind.DELETED) {
      touched.addAll(embeddedDocuments(recordChange.key()));
    }
  }

  /**
   * Returns the documents of a batch; if the batch was deleted, all that still wait for vectors.
   */
  private List<String> embeddedDocuments(String batch) {
    return spaceIndexDependencies
        .store()
        .read(space, snapshot -> snapshot.find(EmbeddingCache.BATCHES, batch))
        .map(EmbeddingNotification::documents)
        .orElseGet(this::allPending);
  }

  private List<String> allPending() {
    try {
      int waiting = Math.toIntExact(generation.count(IndexFormatV1.PENDING));
      return waiting == 0 ? List.of() : generation.pendingDocuments(waiting);
    } catch (IOException e) {
      throw SearchException.unreadable("Reading documents that wait for vectors", e);
    }
  }

  /** Recreates the documents of these ids from the records, a bounded number at a time. */
  void updateDocuments(List<String> ids) throws IOException {
    int step = spaceIndexDependencies.recordsPerStep();
    for (int start = 0; start < ids.size(); start += step) {
      List<String> some = ids.subList(start, Math.min(ids.size(), start + step));
      for (DocumentUpdate documentUpdate :
          spaceIndexDependencies.store().read(space, snapshot -> makeUpdates(snapshot, some))) {
        applyUpdate(documentUpdate);
      }
    }
  }

  private List<DocumentUpdate> makeUpdates(Snapshot snapshot, List<String> ids) {
    return ids.stream()
        .map(id -> new DocumentUpdate(id, generation.indexDocumentFactory().make(snapshot, id)))
        .toList();
  }

  private void applyUpdate(DocumentUpdate documentUpdate) throws IOException {
    if (documentUpdate.id.length() > KeywordValues.LONGEST) {
      LOG.warn(
          "A record of table {} is not indexed, because its key is too long for the search index",
          IndexFormatV1.tableOf(documentUpdate.id));
    } else if (documentUpdate.document.isPresent()) {
      generation.put(documentUpdate.document.get());
    } else {
      generation.delete(documentUpdate.id);
    }
  }
}
