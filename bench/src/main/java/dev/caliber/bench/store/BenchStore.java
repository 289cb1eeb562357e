package dev.caliber.bench.store;

import dev.caliber.bench.harness.BenchEntry;
import dev.caliber.bench.harness.BenchException;
import dev.caliber.bench.harness.EntryGenerator;
import dev.caliber.bench.harness.ProgressPrinter;
import dev.caliber.bench.harness.Stopwatch;
import dev.caliber.kernel.IdGenerator;
import dev.caliber.kernel.RandomSource;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.jdbc.Stores;
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
 * A store loaded with entries and open for measuring; a comparison has a second, raw one of the
 * same content.
 */
final class BenchStore implements AutoCloseable {

  private static final int BATCH = 500;
  private static final int LOADS_SHOWN = 10;
  private static final long SEED = 42;

  private final EntryGenerator entryGenerator;
  private final StoreConfig config;
  private final RecordStore store;
  private final CaliberContender ours;

  private BenchStore(EntryGenerator entryGenerator, StoreConfig config) {
    this.entryGenerator = entryGenerator;
    this.config = config;
    this.store = open(config);
    this.ours = new CaliberContender(store, SpaceId.DEFAULT);
  }

  /** Loads Caliber's store only. */
  static BenchStore load(
      StoreConfig.EngineSettings engine, int records, ProgressPrinter progressPrinter) {
    StoreConfig config = StoreConfig.starter().withEngine(engine);
    EntryGenerator entryGenerator = newEntries(records);
    fill(entryGenerator, List.of(config), progressPrinter);
    return new BenchStore(entryGenerator, config);
  }

  /** Loads Caliber's store and its raw double, whose tables a store has created and filled. */
  static ComparedStores loadPair(
      StoreConfig.EngineSettings engine,
      StoreConfig.EngineSettings rawEngine,
      int records,
      ProgressPrinter progressPrinter) {
    StoreConfig config = StoreConfig.starter().withEngine(engine);
    EntryGenerator entryGenerator = newEntries(records);
    fill(entryGenerator, List.of(config, config.withEngine(rawEngine)), progressPrinter);
    Contender raw =
        switch (rawEngine) {
          case StoreConfig.SqliteSettings sqliteSettings ->
              RawSqlite.open(sqliteSettings.directory(), sqliteSettings);
          case StoreConfig.PostgresSettings postgresSettings -> RawPostgres.open(postgresSettings);
          case StoreConfig.InMemorySettings _ ->
              throw new IllegalArgumentException("Nothing of memory is durable");
        };
    return new ComparedStores(new BenchStore(entryGenerator, config), raw);
  }

  /** Both sides of a comparison. */
  record ComparedStores(BenchStore rig, Contender raw) implements AutoCloseable {
    @Override
    public void close() {
      raw.close();
      rig.close();
    }
  }

  EntryGenerator entries() {
    return entryGenerator;
  }

  RecordStore store() {
    return store;
  }

  CaliberContender caliber() {
    return ours;
  }

  /** Opens a second store on the same data, as another process would. */
  RecordStore openSecond() {
    return open(config);
  }

  CaliberContender inSpace(SpaceId space) {
    store.createSpace(space);
    return new CaliberContender(store, space);
  }

  private static EntryGenerator newEntries(int records) {
    return new EntryGenerator(
        records, IdGenerator.of(Stopwatch.clock(), RandomSource.seeded(SEED)));
  }

  private static RecordStore open(StoreConfig config) {
    return Stores.open(
        config,
        List.of(BenchEntry.TABLE),
        Stopwatch.clock(),
        IdGenerator.of(Stopwatch.clock(), RandomSource.system()));
  }

  /**
   * Fills the stores with the same entries, many to a commit, and closes them: the log is written
   * back, and both start equal.
   */
  private static void fill(
      EntryGenerator entryGenerator, List<StoreConfig> configs, ProgressPrinter progressPrinter) {
    List<RecordStore> stores = configs.stream().map(BenchStore::open).toList();
    try (ExecutorService threads =
        Executors.newFixedThreadPool(
            stores.size(), Thread.ofPlatform().name("bench-load-", 0).factory())) {
      int shown = Math.max(BATCH, entryGenerator.loadedCount() / LOADS_SHOWN);
      for (int done = 0; done < entryGenerator.loadedCount(); done += BATCH) {
        List<BenchEntry> batch =
            entryGenerator.nextBatch(Math.min(BATCH, entryGenerator.loadedCount() - done));
        insert(stores, batch, threads);
        if (done % shown < BATCH) {
          progressPrinter.printLine(
              "loaded %,d of %,d".formatted(done + batch.size(), entryGenerator.loadedCount()));
        }
      }
    } finally {
      stores.forEach(RecordStore::close);
    }
    configs.forEach(BenchStore::settleDatabase);
  }

  private static void insert(
      List<RecordStore> stores, List<BenchEntry> batch, ExecutorService threads) {
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

  private static void insert(RecordStore store, List<BenchEntry> batch) {
    store.write(
        SpaceId.DEFAULT,
        transaction -> {
          batch.forEach(benchEntry -> transaction.insert(BenchEntry.TABLE, benchEntry));
          return batch.size();
        });
  }

  /** Runs now the vacuum that the server would run in the background at some time. */
  private static void settleDatabase(StoreConfig config) {
    if (!(config.engine() instanceof StoreConfig.PostgresSettings postgresSettings)) {
      return;
    }
    try (Connection connection = DriverManager.getConnection(postgresSettings.url());
        Statement statement = connection.createStatement()) {
      for (String table : List.of("entry", "store_feed", "store_space")) {
        statement.execute("VACUUM ANALYZE %s.%s".formatted(postgresSettings.schema(), table));
      }
      statement.execute("CHECKPOINT");
    } catch (SQLException e) {
      throw BenchException.preparationFailed("Settling the server", e);
    }
  }

  @Override
  public void close() {
    store.close();
  }
}
