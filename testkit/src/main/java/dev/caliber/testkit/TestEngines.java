package dev.caliber.testkit;

import dev.caliber.kernel.DataSize;
import dev.caliber.store.StoreConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** Locations for stores under test. */
public final class TestEngines {

  private static final AtomicInteger SCHEMAS = new AtomicInteger();

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
