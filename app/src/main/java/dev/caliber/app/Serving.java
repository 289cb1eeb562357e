package dev.caliber.app;

import dev.caliber.server.CaliberServer;
import dev.caliber.server.ServerFile;
import dev.caliber.server.Setup;
import dev.caliber.store.StoreConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A server that runs until somebody interrupts it, or nobody has asked for long enough. */
record Serving(Setup setup, Optional<Duration> idleExit) {

  /** Beside the data of an embedded store it says where it is; others find a shared one. */
  void run(Consumer<CaliberServer> announce) throws IOException {
    try (CaliberServer server = CaliberServer.start(setup)) {
      Optional<Path> directory = directory(setup.store());
      if (directory.isPresent()) {
        try (ServerFile _ = ServerFile.write(directory.get(), server.address())) {
          serve(server, announce);
        }
      } else {
        serve(server, announce);
      }
    }
  }

  private static Optional<Path> directory(StoreConfig config) {
    return config.engine() instanceof StoreConfig.Sqlite sqlite
        ? Optional.of(sqlite.directory())
        : Optional.empty();
  }

  private void serve(CaliberServer server, Consumer<CaliberServer> announce) {
    announce.accept(server);
    try {
      await(server);
    } catch (InterruptedException _) {
      return; // somebody wants it to stop; what is closed next must not be interrupted again
    }
  }

  private void await(CaliberServer server) throws InterruptedException {
    CountDownLatch never = new CountDownLatch(1);
    if (idleExit.isEmpty()) {
      never.await();
      return;
    }
    Duration limit = idleExit.get();
    for (Duration left = limit; left.isPositive(); left = limit.minus(server.idle())) {
      boolean _ = never.await(left.toMillis() + 1, TimeUnit.MILLISECONDS);
    }
  }
}
