package dev.caliber.app;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.ChangeFeed;
import dev.caliber.store.Query;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.Table;

/** A store for the time of one command, with the configuration that it was opened with. */
record OpenStore(StoreConfig config, RecordStore records) implements AutoCloseable {

  ChangeFeed feed() {
    return records.changes();
  }

  long count(SpaceId space, Table<?> table) {
    return records.read(space, snapshot -> snapshot.count(Query.over(table)));
  }

  @Override
  public void close() {
    records.close();
  }
}
