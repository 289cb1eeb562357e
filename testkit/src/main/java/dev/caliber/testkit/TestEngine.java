package dev.caliber.testkit;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.IdGenerator;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.StoreErrorCode;
import dev.caliber.store.StoreException;
import dev.caliber.store.Table;
import dev.caliber.store.jdbc.Stores;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Engine that one run of a test class uses. On PostgreSQL the tests of the class share a schema
 * and, one after another, an open store: opening one takes longer than most tests. Each test finds
 * the store without records, with a clock and ids of its own, and in a new epoch.
 */
public final class TestEngine implements AutoCloseable {

  private final EngineKind kind;
  private final boolean schemaPerTest;
  private StoreConfig.@Nullable PostgresSettings schema;
  private @Nullable SharedStore lent;
  private @Nullable SharedStore idle;

  TestEngine(EngineKind kind, boolean schemaPerTest) {
    this.kind = kind;
    this.schemaPerTest = schemaPerTest;
  }

  public EngineKind kind() {
    return kind;
  }

  /** Returns the location of the next test's store, which is empty. */
  StoreConfig.EngineSettings emptyLocation(Path directory) {
    return kind == EngineKind.POSTGRES && !schemaPerTest
        ? emptySharedSchema()
        : newLocation(directory);
  }

  /** Returns a location that no other test uses. */
  StoreConfig.EngineSettings newLocation(Path directory) {
    return switch (kind) {
      case MEMORY -> TestEngines.memory();
      case SQLITE -> TestEngines.sqlite(directory);
      case POSTGRES -> TestEngines.postgres();
    };
  }

  private StoreConfig.PostgresSettings emptySharedSchema() {
    if (schema == null) {
      schema = TestEngines.postgres();
    } else {
      RawSql.deleteRecords(schema);
    }
    return schema;
  }

  /** Opens a test's store, or lends the idle one if it is equal. */
  RecordStore open(StoreConfig config, List<Table<?>> tables, Clock clock, IdGenerator ids) {
    if (lent != null || !config.engine().equals(schema)) {
      return Stores.open(config, tables, clock, ids);
    }
    SharedStore found = idle;
    idle = null;
    if (found == null || !found.isLike(config, tables)) {
      if (found != null) {
        found.store().close();
      }
      found = SharedStore.open(config, tables, clock, ids);
    }
    found.sources().replace(clock, ids);
    lent = found;
    return found.store();
  }

  /** Closes the store of a test that has ended, or keeps it open for the next test. */
  void release(RecordStore store) {
    SharedStore shared = lent;
    if (shared == null || !shared.store().equals(store)) {
      store.close();
      return;
    }
    lent = null;
    if (shared.isOpen()) {
      idle = shared;
    }
  }

  /** Closes a store within a test, which may open another one at its location. */
  void closeNow(RecordStore store) {
    if (lent != null && lent.store().equals(store)) {
      lent = null;
    }
    store.close();
  }

  @Override
  public void close() {
    if (idle != null) {
      idle.store().close();
    }
  }

  @Override
  public String toString() {
    return kind.toString();
  }

  /** Store that several tests use, one after another. */
  private record SharedStore(
      StoreConfig config, List<Table<?>> tables, RecordStore store, ReplaceableSources sources) {

    static SharedStore open(
        StoreConfig config, List<Table<?>> tables, Clock clock, IdGenerator ids) {
      ReplaceableSources sources = new ReplaceableSources(clock, ids);
      return new SharedStore(
          config, tables, Stores.open(config, tables, sources, sources::newId), sources);
    }

    boolean isLike(StoreConfig wanted, List<Table<?>> wantedTables) {
      return config.equals(wanted) && tables.equals(wantedTables);
    }

    /** Returns false if the test has closed the store itself. */
    boolean isOpen() {
      try {
        store.read(SpaceId.DEFAULT, snapshot -> snapshot.sequence());
        return true;
      } catch (StoreException e) {
        if (e.code() == StoreErrorCode.CLOSED) {
          return false;
        }
        throw e;
      }
    }
  }

  /** Clock and ids of the test that uses a shared store now. */
  private static final class ReplaceableSources extends Clock {
    private volatile Clock clock;
    private volatile IdGenerator ids;

    ReplaceableSources(Clock clock, IdGenerator ids) {
      this.clock = clock;
      this.ids = ids;
    }

    void replace(Clock newClock, IdGenerator newIds) {
      clock = Objects.requireNonNull(newClock);
      ids = Objects.requireNonNull(newIds);
    }

    Id newId() {
      return ids.next();
    }

    @Override
    public Instant instant() {
      return clock.instant();
    }

    @Override
    public ZoneId getZone() {
      return clock.getZone();
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return clock.withZone(zone);
    }
  }
}
