package dev.caliber.app.serve;

import dev.caliber.server.CaliberServer;
import dev.caliber.server.ServerAddressFile;
import dev.caliber.server.ServerSetup;
import dev.caliber.store.StoreConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Runs a server until it is interrupted, or has had no requests for {@code idleExit}. */
public record ServerRunner(ServerSetup setup, Optional<Duration> idleExit) {

  /** Runs the server; for an embedded store, writes its address beside the data. */
  public void run(Consumer<CaliberServer> announce) throws IOException {
    try (CaliberServer server = CaliberServer.start(setup)) {
      Optional<Path> directory = directory(setup.store());
      if (directory.isPresent()) {
        try (ServerAddressFile _ = ServerAddressFile.write(directory.get(), server.address())) {
          announceAndWait(server, announce);
        }
      } else {
        announceAndWait(server, announce);
      }
    }
  }

  private static Optional<Path> directory(StoreConfig config) {
    return config.engine() instanceof StoreConfig.SqliteSettings sqliteSettings
        ? Optional.of(sqliteSettings.directory())
        : Optional.empty();
  }

  private void announceAndWait(CaliberServer server, Consumer<CaliberServer> announce) {
    announce.accept(server);
    try {
      awaitShutdown(server);
    } catch (InterruptedException _) {
      return; // the server is asked to stop: closing it must not be interrupted again
    }
  }

  private void awaitShutdown(CaliberServer server) throws InterruptedException {
    CountDownLatch never = new CountDownLatch(1);
    if (idleExit.isEmpty()) {
      never.await();
      return;
    }
    Duration limit = idleExit.get();
    for (Duration left = limit; left.isPositive(); left = limit.minus(server.idleTime())) {
      boolean _ = never.await(left.toMillis() + 1, TimeUnit.MILLISECONDS);
    }
  }
}
