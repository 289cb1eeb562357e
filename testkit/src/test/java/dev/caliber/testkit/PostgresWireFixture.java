package dev.caliber.testkit;

import dev.caliber.store.StoreConfig;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/**
 * Stores with one writer on a server of its own, behind a line that counts what they send. Of
 * several writers any may do the next write, and each has to have a statement parsed once.
 */
@Tag("postgres")
abstract class PostgresWireFixture extends StoreFixture {

  private static @Nullable PostgresServer server;
  private static @Nullable FlakyProxy proxy;

  private final StoreConfig.Postgres engine =
      ofWriters(1, Engines.postgres(line().url(Objects.requireNonNull(server))));

  @BeforeAll
  static void startServer() {
    server = PostgresServer.start();
    proxy = FlakyProxy.before(server);
  }

  @AfterAll
  static void stopServer() {
    line().close();
    Objects.requireNonNull(server).close();
  }

  static StoreConfig.Postgres ofWriters(int writers, StoreConfig.Postgres of) {
    return new StoreConfig.Postgres(
        of.url(),
        of.user(),
        of.passwordVariable(),
        of.schema(),
        writers,
        of.connectTimeout(),
        of.answerTimeout(),
        of.notifyInterval());
  }

  static FlakyProxy line() {
    return Objects.requireNonNull(proxy);
  }

  @Override
  protected StoreConfig.Postgres engine() {
    return engine;
  }
}
