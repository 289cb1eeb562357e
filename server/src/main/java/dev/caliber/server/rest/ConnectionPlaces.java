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
 * Which connections are open, and which of them wait for a request. A client that opens connections
 * and sends no request keeps no other client out: where all places are taken, or those of one
 * address, the connection that has waited longest without a request ends.
 */
final class ConnectionPlaces {
  private static final String UNKNOWN = "unknown";

  private final int most;
  private final int mostOfAddress;
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private final Map<String, Address> addresses = new HashMap<>();

  @GuardedBy("lock")
  private final Set<Place> waiting = new LinkedHashSet<>();

  @GuardedBy("lock")
  private int open;

  ConnectionPlaces(ServerConfig.Connections limits) {
    this.most = limits.all();
    this.mostOfAddress = limits.perAddress();
  }

  /** A connection. */
  interface Place {
    SocketAddress client();

    void end();
  }

  /** What one address has; guarded by the lock of its owner. */
  private static final class Address {
    private final Set<Place> open = new HashSet<>();
    private final Set<Place> waiting = new LinkedHashSet<>();
  }

  private static String address(Place place) {
    return place.client() instanceof InetSocketAddress known && known.getAddress() != null
        ? known.getAddress().getHostAddress()
        : UNKNOWN;
  }

  /** A new connection, which waits for its first request. */
  void open(Place place) {
    Optional<Place> ended;
    lock.lock();
    try {
      Address own = addresses.computeIfAbsent(address(place), _ -> new Address());
      own.open.add(place);
      open++;
      ended =
          own.open.size() > mostOfAddress
              ? Optional.of(own.waiting.stream().findFirst().orElse(place))
              : open >= most ? waiting.stream().findFirst() : Optional.empty();
      await(place, own);
      ended.ifPresent(this::forget);
    } finally {
      lock.unlock();
    }
    ended.ifPresent(Place::end);
  }

  @GuardedBy("lock")
  private void await(Place place, Address own) {
    own.waiting.add(place);
    waiting.add(place);
  }

  @GuardedBy("lock")
  private void forget(Place place) {
    waiting.remove(place);
    Address own = addresses.get(address(place));
    if (own != null) {
      own.waiting.remove(place);
    }
  }

  /** Its request is answered, and the next one may come. */
  void await(Place place) {
    lock.lock();
    try {
      Address own = addresses.get(address(place));
      if (own != null && own.open.contains(place)) {
        await(place, own);
      }
    } finally {
      lock.unlock();
    }
  }

  /** The head of its request is whole. */
  void work(Place place) {
    lock.lock();
    try {
      forget(place);
    } finally {
      lock.unlock();
    }
  }

  /** Whether its place is wanted by the next connection, so that it has to end with its answer. */
  boolean isWanted(Place place) {
    lock.lock();
    try {
      Address own = addresses.get(address(place));
      return open >= most || (own != null && own.open.size() >= mostOfAddress);
    } finally {
      lock.unlock();
    }
  }

  void close(Place place) {
    lock.lock();
    try {
      forget(place);
      String address = address(place);
      Address own = addresses.get(address);
      if (own == null || !own.open.remove(place)) {
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
