package dev.caliber.server.rest;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.caliber.server.settings.ServerConfig;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A tracker of open connections and of those that wait for a request. Idle connections keep no
 * client out: if all places, or those of one address, are taken, the connection that has waited
 * longest without a request is closed.
 */
final class ConnectionTracker {
  private static final String UNKNOWN = "unknown";

  private final int most;
  private final int mostOfAddress;
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private final Map<String, AddressConnections> addresses = new HashMap<>();

  @GuardedBy("lock")
  private final Set<TrackedConnection> waiting = new LinkedHashSet<>();

  @GuardedBy("lock")
  private int open;

  ConnectionTracker(ServerConfig.ConnectionLimits limits) {
    this.most = limits.all();
    this.mostOfAddress = limits.perAddress();
  }

  /** An open connection. */
  interface TrackedConnection {
    SocketAddress remoteAddress();

    void endConnection();
  }

  /** The connections of one address; guarded by the tracker's lock. */
  private static final class AddressConnections {
    private final Set<TrackedConnection> open = new HashSet<>();
    private final Set<TrackedConnection> waiting = new LinkedHashSet<>();
  }

  private static String clientAddress(TrackedConnection trackedConnection) {
    return trackedConnection.remoteAddress() instanceof InetSocketAddress known
            && known.getAddress() != null
        ? known.getAddress().getHostAddress()
        : UNKNOWN;
  }

  /** Adds a connection that waits for its first request. */
  void addConnection(TrackedConnection trackedConnection) {
    Optional<TrackedConnection> ended;
    lock.lock();
    try {
      AddressConnections own =
          addresses.computeIfAbsent(
              clientAddress(trackedConnection), _ -> new AddressConnections());
      own.open.add(trackedConnection);
      open++;
      ended =
          own.open.size() > mostOfAddress
              ? Optional.of(own.waiting.stream().findFirst().orElse(trackedConnection))
              : open >= most ? waiting.stream().findFirst() : Optional.empty();
      addIdle(trackedConnection, own);
      ended.ifPresent(this::removeIdle);
    } finally {
      lock.unlock();
    }
    ended.ifPresent(TrackedConnection::endConnection);
  }

  @GuardedBy("lock")
  private void addIdle(TrackedConnection trackedConnection, AddressConnections own) {
    own.waiting.add(trackedConnection);
    waiting.add(trackedConnection);
  }

  @GuardedBy("lock")
  private void removeIdle(TrackedConnection trackedConnection) {
    waiting.remove(trackedConnection);
    AddressConnections own = addresses.get(clientAddress(trackedConnection));
    if (own != null) {
      own.waiting.remove(trackedConnection);
    }
  }

  /** Marks a connection whose request was answered as waiting for the next. */
  void markIdle(TrackedConnection trackedConnection) {
    lock.lock();
    try {
      AddressConnections own = addresses.get(clientAddress(trackedConnection));
      if (own != null && own.open.contains(trackedConnection)) {
        addIdle(trackedConnection, own);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Marks a connection whose request head is complete as busy. */
  void markBusy(TrackedConnection trackedConnection) {
    lock.lock();
    try {
      removeIdle(trackedConnection);
    } finally {
      lock.unlock();
    }
  }

  /** Returns whether the connection has to close after its answer, for another to get the place. */
  boolean isFullFor(TrackedConnection trackedConnection) {
    lock.lock();
    try {
      AddressConnections own = addresses.get(clientAddress(trackedConnection));
      return open >= most || (own != null && own.open.size() >= mostOfAddress);
    } finally {
      lock.unlock();
    }
  }

  void removeConnection(TrackedConnection trackedConnection) {
    lock.lock();
    try {
      removeIdle(trackedConnection);
      String address = clientAddress(trackedConnection);
      AddressConnections own = addresses.get(address);
      if (own == null || !own.open.remove(trackedConnection)) {
        return;
      }
      open--;
      if (own.open.isEmpty()) {
        addresses.remove(address);
      }
    } finally {
      lock.unlock();
    }
  }
}
