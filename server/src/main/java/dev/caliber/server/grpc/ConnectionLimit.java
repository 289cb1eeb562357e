package dev.caliber.server.grpc;

import dev.caliber.server.operation.ServerException;
import dev.caliber.server.settings.ServerConfig;
import io.grpc.Attributes;
import io.grpc.ServerTransportFilter;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** As many connections at a time as settings say; one more is closed before its first call. */
final class ConnectionLimit extends ServerTransportFilter {
  private static final Attributes.Key<Boolean> COUNTED = Attributes.Key.create("caliber-counted");

  private final Semaphore free;
  private final Duration patience;

  ConnectionLimit(ServerConfig config) {
    this.free = new Semaphore(config.network().connections());
    this.patience = config.limits().patience();
  }

  @Override
  public Attributes transportReady(Attributes attributes) {
    if (!free.tryAcquire()) {
      throw ServerException.overloaded("server.limits.connections", patience);
    }
    return attributes.toBuilder().set(COUNTED, true).build();
  }

  /** One that was never let in has none. */
  @Override
  public void transportTerminated(@Nullable Attributes attributes) {
    if (attributes != null && attributes.get(COUNTED) != null) {
      free.release();
    }
  }
}
