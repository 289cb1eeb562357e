package dev.caliber.app.shell;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.ChangeFeed;
import dev.caliber.store.Query;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.Table;
import java.util.List;

/** A store for the time of one command, with the configuration that it was opened with. */
public record OpenStore(StoreConfig config, RecordStore records) implements AutoCloseable {

  /** Returns all tables that this version knows, the store's own included. */
  public List<Table<?>> tables() {
    return AppTables.all();
  }

  public ChangeFeed feed() {
    return records.changes();
  }

  public long count(SpaceId space, Table<?> table) {
    return records.read(space, snapshot -> snapshot.count(Query.over(table)));
  }

  @Override
  public void close() {
    records.close();
  }
}
