package dev.caliber.store.jdbc;

import dev.caliber.kernel.IdGenerator;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.Table;
import java.time.Clock;
import java.util.List;

/** Factory of record stores. */
public final class Stores {
  private Stores() {}

  /** Opens a store and adds tables, columns and indexes that it lacks. */
  public static RecordStore open(
      StoreConfig config, List<Table<?>> tables, Clock clock, IdGenerator idGenerator) {
    return JdbcRecordStore.open(config, tables, clock, idGenerator);
  }
}
