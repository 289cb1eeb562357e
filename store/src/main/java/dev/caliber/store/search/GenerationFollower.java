package dev.caliber.store.search;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.Change;
import dev.caliber.store.ChangeKind;
import dev.caliber.store.Commit;
import dev.caliber.store.FeedCursor;
import dev.caliber.store.Page;
import dev.caliber.store.Query;
import dev.caliber.store.Row;
import dev.caliber.store.Snapshot;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings a generation forward, a bounded step at a time: first all records, then the feed. */
final class GenerationFollower {

  private static final Logger LOG = LoggerFactory.getLogger(GenerationFollower.class);

  private final Machinery machinery;
  private final SpaceId space;
  private final Generation generation;
  private long scanned;

  GenerationFollower(Machinery machinery, SpaceId space, Generation generation) {
    this.machinery = machinery;
    this.space = space;
    this.generation = generation;
  }

  Generation generation() {
    return generation;
  }

  /** How many records were read while it was built. */
  long scanned() {
    return scanned;
  }

  /** One step; true if there may be more to do. */
  boolean step() throws IOException {
    return generation.state().complete() ? followFeed() : readRecords();
  }

  private boolean readRecords() throws IOException {
    IndexState state = generation.state();
    Optional<Searchable<?>> table =
        state.scanTable().isEmpty()
            ? machinery.declared().after(null)
            : machinery.declared().of(state.scanTable().get());
    if (table.isEmpty()) {
      generation.advance(state.completed());
      generation.commit();
    } else {
      generation.gather(readPage(state, table.get()));
    }
    return true;
  }

  private <T> IndexState readPage(IndexState state, Searchable<T> table) throws IOException {
    Read read =
        machinery.store().read(space, snapshot -> readPage(snapshot, table, state.scanKey()));
    for (Made made : read.made) {
      apply(made);
    }
    scanned += read.made.size();
    if (read.last.isPresent()) {
      return state.scanned(table.table().name(), read.last);
    }
    return machinery
        .declared()
        .after(table.table().name())
        .map(next -> state.scanned(next.table().name(), Optional.empty()))
        .orElse(state.completed());
  }

  /** Documents of a page, and the key to go on from; empty at the end of the table. */
  private record Read(List<Made> made, Optional<String> last) {}

  /** What an id's documents are now; none if they should go. */
  private record Made(String id, Optional<MadeDocument> document) {}

  private <T> Read readPage(Snapshot snapshot, Searchable<T> table, Optional<String> from) {
    Query<T> all = Query.over(table.table());
    Page<T> page = snapshot.scan(from.map(all::from).orElse(all), 1 + machinery.records());
    List<Made> made = new ArrayList<>();
    String last = "";
    for (Row<T> row : page.rows()) {
      last = table.table().keyOf(row.record());
      String id = IndexFormatV1.id(table.table().name(), last);
      made.add(new Made(id, generation.maker().make(snapshot, table, id, row.record())));
    }
    return new Read(made, page.next().isPresent() ? Optional.of(last) : Optional.empty());
  }

  private boolean followFeed() throws IOException {
    FeedCursor cursor = generation.state().cursor();
    List<Commit> commits = machinery.store().changes().read(space, cursor, machinery.commits());
    if (commits.isEmpty()) {
      return false;
    }
    Set<String> touched = new LinkedHashSet<>();
    for (Commit commit : commits) {
      commit.changes().forEach(change -> collect(change, touched));
    }
    apply(List.copyOf(touched));
    generation.advance(
        generation.state().at(new FeedCursor(cursor.epoch(), commits.getLast().sequence())));
    return commits.size() == machinery.commits();
  }

  private void collect(Change change, Set<String> touched) {
    if (machinery.declared().of(change.table()).isPresent()) {
      touched.add(IndexFormatV1.id(change.table(), change.key()));
    } else if (change.table().equals(EmbeddingCache.BATCHES.name())
        && change.kind() != ChangeKind.DELETED) {
      touched.addAll(embedded(change.key()));
    }
  }

  /** The documents of a batch; if its list is gone already, all that still wait. */
  private List<String> embedded(String batch) {
    return machinery
        .store()
        .read(space, snapshot -> snapshot.find(EmbeddingCache.BATCHES, batch))
        .map(EmbeddingBatch::documents)
        .orElseGet(this::allPending);
  }

  private List<String> allPending() {
    try {
      int waiting = Math.toIntExact(generation.count(IndexFormatV1.PENDING));
      return waiting == 0 ? List.of() : generation.pending(waiting);
    } catch (IOException e) {
      throw SearchException.unreadable("Reading documents that wait for vectors", e);
    }
  }

  /** Makes the documents of these ids anew from the records, a bounded number at a time. */
  void apply(List<String> ids) throws IOException {
    int step = machinery.records();
    for (int start = 0; start < ids.size(); start += step) {
      List<String> some = ids.subList(start, Math.min(ids.size(), start + step));
      for (Made made : machinery.store().read(space, snapshot -> make(snapshot, some))) {
        apply(made);
      }
    }
  }

  private List<Made> make(Snapshot snapshot, List<String> ids) {
    return ids.stream().map(id -> new Made(id, generation.maker().make(snapshot, id))).toList();
  }

  private void apply(Made made) throws IOException {
    if (made.id.length() > Keywords.LONGEST) {
      LOG.warn("A record of {} has too long a key for search", IndexFormatV1.tableOf(made.id));
    } else if (made.document.isPresent()) {
      generation.put(made.document.get());
    } else {
      generation.delete(made.id);
    }
  }
}
