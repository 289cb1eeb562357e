package dev.caliber.bench.store;

import dev.caliber.bench.harness.BenchEntry;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.Query;
import dev.caliber.store.RecordStore;
import java.util.List;

/** The measured work as a user of Caliber does it, in one space. */
public final class CaliberContender implements Contender {

  private final RecordStore store;
  private final SpaceId space;

  public CaliberContender(RecordStore store, SpaceId space) {
    this.store = store;
    this.space = space;
  }

  @Override
  public void commit(BenchEntry benchEntry) {
    commitForSequence(benchEntry);
  }

  /** Returns the commit's sequence number in the feed. */
  long commitForSequence(BenchEntry benchEntry) {
    return store.write(
        space,
        transaction -> {
          transaction.insert(BenchEntry.TABLE, benchEntry);
          return transaction.revision();
        });
  }

  @Override
  public BenchEntry read(Id key) {
    return store.read(space, snapshot -> snapshot.get(BenchEntry.TABLE, key));
  }

  @Override
  public List<BenchEntry> readSession(String session, int limit) {
    Query<BenchEntry> query = Query.over(BenchEntry.TABLE, "session", "written_at").equal(session);
    return store.read(space, snapshot -> snapshot.scan(query, limit)).records();
  }

  @Override
  public List<BenchEntry> readAuthor(String author, int limit) {
    Query<BenchEntry> query = Query.over(BenchEntry.TABLE, "author").equal(author);
    return store.read(space, snapshot -> snapshot.scan(query, limit)).records();
  }

  @Override
  public void close() {
    store.close();
  }
}
