package dev.caliber.testkit;

import dev.caliber.kernel.DataSize;
import dev.caliber.store.StoreConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Locations for stores under test. */
public final class TestEngines {

  private static final AtomicInteger SCHEMAS = new AtomicInteger();
  private static final Map<Class<?>, StoreConfig.PostgresSettings> SHARED =
      new ConcurrentHashMap<>();

  private TestEngines() {}

  public static StoreConfig.SqliteSettings sqlite(Path directory) {
    return new StoreConfig.SqliteSettings(
        directory, DataSize.parse("16MiB"), DataSize.parse("2MiB"), 1000, Duration.ofMillis(50));
  }

  public static StoreConfig.InMemorySettings memory() {
    return new StoreConfig.InMemorySettings(DataSize.parse("16MiB"));
  }

  /** Returns a new schema on the server that this run shares. */
  public static StoreConfig.PostgresSettings postgres() {
    return postgres(SharedPostgresServer.url());
  }

  /**
   * Returns the schema shared by the tests of a class, one after another. Each finds it empty, with
   * its tables created: creating them takes longer than most tests.
   */
  public static StoreConfig.PostgresSettings postgres(Class<?> tests) {
    StoreConfig.PostgresSettings place = SHARED.computeIfAbsent(tests, _ -> postgres());
    emptySchema(place);
    return place;
  }

  private static void emptySchema(StoreConfig.PostgresSettings place) {
    RawSql.executePostgres(
        place,
        """
        DO $$ DECLARE found record; BEGIN
          FOR found IN SELECT tablename FROM pg_tables
              WHERE schemaname = '%1$s' AND tablename <> 'store_table' LOOP
            EXECUTE format('DELETE FROM %%I.%%I', '%1$s', found.tablename);
          END LOOP;
        END $$"""
            .formatted(place.schema()));
  }

  /** Returns a new schema on this server. */
  public static StoreConfig.PostgresSettings postgres(String url) {
    return new StoreConfig.PostgresSettings(
        url,
        Optional.empty(),
        Optional.empty(),
        "t%d_%d".formatted(ProcessHandle.current().pid(), SCHEMAS.incrementAndGet()),
        4,
        Duration.ofSeconds(10),
        Duration.ofSeconds(30),
        Duration.ofMillis(10));
  }

  /** Server that {@code ./verify} has started, or else one that runs as long as this process. */
  private static final class SharedPostgresServer {
    private static final String URL = findOrStart();

    static String url() {
      return URL;
    }

    private static String findOrStart() {
      String given = System.getenv("CALIBER_TEST_POSTGRES_URL");
      if (given != null) {
        return given;
      }
      PostgresServer server = PostgresServer.start();
      Runtime.getRuntime()
          .addShutdownHook(Thread.ofPlatform().name("stop-postgres").unstarted(server::close));
      return server.url();
    }
  }
}
