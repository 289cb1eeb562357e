package dev.caliber.testkit;

import dev.caliber.store.StoreConfig;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/**
 * Fixture of stores with one writer on a private server, behind a proxy that counts what they send.
 * With several writers, any of them may do the next write, and each has to have a statement parsed
 * once.
 */
@Tag("postgres")
abstract class PostgresWireFixture extends StoreFixture {

  private static @Nullable PostgresServer server;
  private static @Nullable FlakyProxy proxy;

  private final StoreConfig.PostgresSettings engine =
      ofWriters(1, TestEngines.postgres(line().url(Objects.requireNonNull(server))));

  @BeforeAll
  static void startServer() {
    server = PostgresServer.start();
    proxy = FlakyProxy.inFrontOf(server);
  }

  @AfterAll
  static void stopServer() {
    line().close();
    Objects.requireNonNull(server).close();
  }

  static StoreConfig.PostgresSettings ofWriters(int writers, StoreConfig.PostgresSettings of) {
    return new StoreConfig.PostgresSettings(
        of.url(),
        of.user(),
        of.passwordVariable(),
        of.schema(),
        writers,
        of.connectTimeout(),
        of.statementTimeout(),
        of.notifyInterval());
  }

  static FlakyProxy line() {
    return Objects.requireNonNull(proxy);
  }

  @Override
  protected StoreConfig.PostgresSettings engine() {
    return engine;
  }
}
