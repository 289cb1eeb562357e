package dev.caliber.testkit;

import dev.caliber.kernel.DataSize;
import dev.caliber.store.StoreConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Places for stores under test. */
public final class Engines {

  private static final AtomicInteger SCHEMAS = new AtomicInteger();
  private static final Map<Class<?>, StoreConfig.Postgres> SHARED = new ConcurrentHashMap<>();

  private Engines() {}

  public static StoreConfig.Sqlite sqlite(Path directory) {
    return new StoreConfig.Sqlite(
        directory, DataSize.parse("16MiB"), DataSize.parse("2MiB"), 1000, Duration.ofMillis(50));
  }

  public static StoreConfig.InMemory memory() {
    return new StoreConfig.InMemory(DataSize.parse("16MiB"));
  }

  /** A schema of its own on the server that this run shares. */
  public static StoreConfig.Postgres postgres() {
    return postgres(SharedServer.url());
  }

  /**
   * The schema that the tests of a class have one after another. Each finds it empty, with its
   * tables made: making them takes longer than most tests.
   */
  public static StoreConfig.Postgres postgres(Class<?> tests) {
    StoreConfig.Postgres place = SHARED.computeIfAbsent(tests, _ -> postgres());
    empty(place);
    return place;
  }

  private static void empty(StoreConfig.Postgres place) {
    RawSql.postgres(
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

  /** A schema of its own on this server. */
  public static StoreConfig.Postgres postgres(String url) {
    return new StoreConfig.Postgres(
        url,
        Optional.empty(),
        Optional.empty(),
        "t%d_%d".formatted(ProcessHandle.current().pid(), SCHEMAS.incrementAndGet()),
        4,
        Duration.ofSeconds(10),
        Duration.ofSeconds(30),
        Duration.ofMillis(10));
  }

  /**
   * The server that {@code ./verify} has started, or else one that lives as long as this process.
   */
  private static final class SharedServer {
    private static final String URL = find();

    static String url() {
      return URL;
    }

    private static String find() {
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
