package dev.caliber.bench;

import dev.caliber.kernel.Chance;
import dev.caliber.kernel.Ids;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A store loaded with entries and open for measuring; with a raw side, a second one of the same
 * content beside it.
 */
final class Rig implements AutoCloseable {

  private static final int BATCH = 500;
  private static final int LOADS_SHOWN = 10;
  private static final long SEED = 42;

  private final Entries entries;
  private final StoreConfig config;
  private final RecordStore store;
  private final CaliberSide ours;

  private Rig(Entries entries, StoreConfig config) {
    this.entries = entries;
    this.config = config;
    this.store = open(config);
    this.ours = new CaliberSide(store, SpaceId.DEFAULT);
  }

  /** Only Caliber's store. */
  static Rig load(StoreConfig.EngineConfig engine, int records, Progress progress) {
    StoreConfig config = StoreConfig.starter().withEngine(engine);
    Entries entries = entries(records);
    fill(entries, List.of(config), progress);
    return new Rig(entries, config);
  }

  /** Caliber's store and its raw double, whose tables a store has laid out and filled. */
  static Pair loadPair(
      StoreConfig.EngineConfig engine,
      StoreConfig.EngineConfig rawEngine,
      int records,
      Progress progress) {
    StoreConfig config = StoreConfig.starter().withEngine(engine);
    Entries entries = entries(records);
    fill(entries, List.of(config, config.withEngine(rawEngine)), progress);
    Side raw =
        switch (rawEngine) {
          case StoreConfig.Sqlite sqlite -> RawSqlite.open(sqlite.directory(), sqlite);
          case StoreConfig.Postgres postgres -> RawPostgres.open(postgres);
          case StoreConfig.InMemory _ ->
              throw new IllegalArgumentException("Nothing of memory is durable");
        };
    return new Pair(new Rig(entries, config), raw);
  }

  /** Both sides of a comparison. */
  record Pair(Rig rig, Side raw) implements AutoCloseable {
    @Override
    public void close() {
      raw.close();
      rig.close();
    }
  }

  Entries entries() {
    return entries;
  }

  RecordStore store() {
    return store;
  }

  CaliberSide ours() {
    return ours;
  }

  /** A second store on the same place, as another process would open it. */
  RecordStore another() {
    return open(config);
  }

  CaliberSide inSpace(SpaceId space) {
    store.createSpace(space);
    return new CaliberSide(store, space);
  }

  private static Entries entries(int records) {
    return new Entries(records, Ids.of(Stopwatch.clock(), Chance.seeded(SEED)));
  }

  private static RecordStore open(StoreConfig config) {
    return RecordStore.open(
        config,
        List.of(Entry.TABLE),
        Stopwatch.clock(),
        Ids.of(Stopwatch.clock(), Chance.system()));
  }

  /**
   * Fills the stores with the same entries, many to a commit, and closes them: the log is written
   * back, and both begin equal.
   */
  private static void fill(Entries entries, List<StoreConfig> configs, Progress progress) {
    List<RecordStore> stores = configs.stream().map(Rig::open).toList();
    try (ExecutorService threads =
        Executors.newFixedThreadPool(
            stores.size(), Thread.ofPlatform().name("bench-load-", 0).factory())) {
      int shown = Math.max(BATCH, entries.loaded() / LOADS_SHOWN);
      for (int done = 0; done < entries.loaded(); done += BATCH) {
        List<Entry> batch = entries.batch(Math.min(BATCH, entries.loaded() - done));
        insert(stores, batch, threads);
        if (done % shown < BATCH) {
          progress.say("loaded %,d of %,d".formatted(done + batch.size(), entries.loaded()));
        }
      }
    } finally {
      stores.forEach(RecordStore::close);
    }
    configs.forEach(Rig::settle);
  }

  private static void insert(List<RecordStore> stores, List<Entry> batch, ExecutorService threads) {
    List<CompletableFuture<Void>> running =
        stores.stream()
            .map(store -> CompletableFuture.runAsync(() -> insert(store, batch), threads))
            .toList();
    try {
      running.forEach(CompletableFuture::join);
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }

  private static void insert(RecordStore store, List<Entry> batch) {
    store.write(
        SpaceId.DEFAULT,
        transaction -> {
          batch.forEach(entry -> transaction.insert(Entry.TABLE, entry));
          return batch.size();
        });
  }

  /** Does now what the server would do in the background at a moment of its own. */
  private static void settle(StoreConfig config) {
    if (!(config.engine() instanceof StoreConfig.Postgres postgres)) {
      return;
    }
    try (Connection connection = DriverManager.getConnection(postgres.url());
        Statement statement = connection.createStatement()) {
      for (String table : List.of("entry", "store_feed", "store_space")) {
        statement.execute("VACUUM ANALYZE %s.%s".formatted(postgres.schema(), table));
      }
      statement.execute("CHECKPOINT");
    } catch (SQLException e) {
      throw BenchException.preparing("Settling the server", e);
    }
  }

  @Override
  public void close() {
    store.close();
  }
}
