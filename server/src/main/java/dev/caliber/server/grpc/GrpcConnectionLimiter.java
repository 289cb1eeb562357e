package dev.caliber.server.grpc;

import dev.caliber.server.operation.ServerException;
import dev.caliber.server.settings.ServerConfig;
import io.grpc.Attributes;
import io.grpc.Grpc;
import io.grpc.ServerTransportFilter;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** A limit on concurrent connections; one too many is closed before its first call. */
final class GrpcConnectionLimiter extends ServerTransportFilter {
  private static final Attributes.Key<Boolean> COUNTED = Attributes.Key.create("caliber-counted");

  private final Semaphore free;
  private final Map<String, Integer> ofAddresses = new ConcurrentHashMap<>();
  private final int perAddress;
  private final Duration patience;

  GrpcConnectionLimiter(ServerConfig config) {
    this.free = new Semaphore(config.network().connections().all());
    this.perAddress = config.network().connections().perAddress();
    this.patience = config.limits().queueTimeout();
  }

  @Override
  public Attributes transportReady(Attributes attributes) {
    if (!free.tryAcquire()) {
      throw ServerException.overloaded("server.limits.connections", patience);
    }
    if (ofAddresses.merge(clientAddress(attributes), 1, Integer::sum) > perAddress) {
      release(clientAddress(attributes));
      throw ServerException.overloaded("server.limits.connections-per-address", patience);
    }
    return attributes.toBuilder().set(COUNTED, true).build();
  }

  private static String clientAddress(Attributes attributes) {
    return attributes.get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR) instanceof InetSocketAddress known
            && known.getAddress() != null
        ? known.getAddress().getHostAddress()
        : "unknown";
  }

  private void release(String address) {
    ofAddresses.computeIfPresent(address, (_, open) -> open > 1 ? open - 1 : null);
    free.release();
  }

  /** Releases the place, if the connection had one. */
  @Override
  public void transportTerminated(@Nullable Attributes attributes) {
    if (attributes != null && attributes.get(COUNTED) != null) {
      release(clientAddress(attributes));
    }
  }
}
