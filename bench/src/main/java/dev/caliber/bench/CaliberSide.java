package dev.caliber.bench;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.Query;
import dev.caliber.store.RecordStore;
import java.util.List;

/** The work as a user of Caliber does it, in one space. */
final class CaliberSide implements Side {

  private final RecordStore store;
  private final SpaceId space;

  CaliberSide(RecordStore store, SpaceId space) {
    this.store = store;
    this.space = space;
  }

  @Override
  public void commit(Entry entry) {
    commitNumbered(entry);
  }

  /** Returns the commit's place in the feed. */
  long commitNumbered(Entry entry) {
    return store.write(
        space,
        transaction -> {
          transaction.insert(Entry.TABLE, entry);
          return transaction.revision();
        });
  }

  @Override
  public Entry read(Id key) {
    return store.read(space, snapshot -> snapshot.get(Entry.TABLE, key));
  }

  @Override
  public List<Entry> ofSession(String session, int limit) {
    Query<Entry> query = Query.over(Entry.TABLE, "session", "written_at").equal(session);
    return store.read(space, snapshot -> snapshot.scan(query, limit)).records();
  }

  @Override
  public List<Entry> ofAuthor(String author, int limit) {
    Query<Entry> query = Query.over(Entry.TABLE, "author").equal(author);
    return store.read(space, snapshot -> snapshot.scan(query, limit)).records();
  }

  @Override
  public void close() {
    store.close();
  }
}
