package dev.caliber.store;

import dev.caliber.kernel.IdGenerator;
import dev.caliber.kernel.SpaceId;
import java.time.Clock;
import java.util.List;
import java.util.SortedSet;
import java.util.function.Consumer;
import java.util.function.Function;

/** Factory of record stores. */
public final class Stores {
  private Stores() {}

  /** Opens a store and adds tables, columns and indexes that it lacks. */
  public static RecordStore open(
      StoreConfig config, List<Table<?>> tables, Clock clock, IdGenerator idGenerator) {
    return JdbcRecordStore.open(config, tables, clock, idGenerator);
  }
}
