package dev.caliber.testkit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Proxy to a PostgreSQL server that breaks connections on request, and counts what clients send. It
 * understands the protocol's frames, so that it can break just before or just after a commit.
 */
public final class FlakyProxy implements AutoCloseable {

  /** Place at which a connection breaks, once. */
  public sealed interface ConnectionBreak {
    /** No break. */
    record NoBreak() implements ConnectionBreak {}

    /** The next commit never reaches the server. */
    record BreakBeforeCommit() implements ConnectionBreak {}

    /**
     * The next commit never reaches the server, and neither does anything else until {@link
     * #recover}.
     */
    record PermanentBreakBeforeCommit() implements ConnectionBreak {}

    /** The server executes the next commit, but its answer is lost. */
    record BreakAfterCommit() implements ConnectionBreak {}

    /** The connection breaks within a message, after this many bytes from clients. */
    record BreakAfterBytes(long bytes) implements ConnectionBreak {}
  }

  private final ServerSocket door;
  private final int serverPort;
  private final AtomicReference<ConnectionBreak> armed =
      new AtomicReference<>(new ConnectionBreak.NoBreak());
  private final NavigableMap<Character, LongAdder> messages = new ConcurrentSkipListMap<>();
  private final NavigableMap<String, LongAdder> parsed = new ConcurrentSkipListMap<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition died = lock.newCondition();

  @GuardedBy("lock")
  private final List<FlakyConnection> lines = new ArrayList<>();

  @GuardedBy("lock")
  private boolean dead;

  private FlakyProxy(ServerSocket door, int serverPort) {
    this.door = door;
    this.serverPort = serverPort;
  }

  /** Starts a proxy for the server on this port of this machine. */
  public static FlakyProxy inFrontOf(PostgresServer server) {
    try {
      FlakyProxy proxy =
          new FlakyProxy(new ServerSocket(0, 0, InetAddress.getLoopbackAddress()), server.port());
      Thread.ofPlatform().name("flaky-door").daemon().start(proxy::accept);
      return proxy;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the server's address through this proxy. */
  public String url(PostgresServer server) {
    return server.url().replace(":" + serverPort + "/", ":" + door.getLocalPort() + "/");
  }

  /** Breaks one connection at this place, then works normally again. */
  public void breakOnce(ConnectionBreak place) {
    armed.set(place);
  }

  /** Breaks every connection at once; new ones are accepted. */
  public void cutAll() {
    lock.lock();
    try {
      lines.forEach(FlakyConnection::closeBoth);
      lines.clear();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Breaks every connection without the server's noticing, like a network failure, and closes new
   * ones until {@link #recover}.
   */
  public void breakForGood() {
    lock.lock();
    try {
      lines.forEach(FlakyConnection::closeClientOnly);
      dead = true;
      died.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Lets the server notice, and accepts connections again. */
  public void recover() {
    cutAll();
    lock.lock();
    try {
      dead = false;
    } finally {
      lock.unlock();
    }
  }

  /** Waits until a connection has broken for good. */
  public void awaitBrokenForGood() throws InterruptedException {
    lock.lock();
    try {
      while (!dead) {
        died.await();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Returns the number of messages of each type from clients: 'B' is Bind, 'S' is Sync. */
  public Map<Character, Long> messageCounts() {
    return counts(messages);
  }

  /** Returns how often each statement was sent as text: to be parsed, or as a simple query. */
  public Map<String, Long> parsedStatementCounts() {
    return counts(parsed);
  }

  private static <K extends Comparable<K>> Map<K, Long> counts(Map<K, LongAdder> sums) {
    Map<K, Long> counts = new TreeMap<>();
    sums.forEach((key, count) -> counts.put(key, count.sum()));
    return counts;
  }

  private void accept() {
    while (true) {
      try {
        serve(door.accept());
      } catch (IOException _) {
        if (door.isClosed()) {
          return;
        }
      }
    }
  }

  private void serve(Socket client) throws IOException {
    lock.lock();
    try {
      if (dead) {
        client.close();
        return;
      }
      FlakyConnection line;
      try {
        line =
            new FlakyConnection(
                this, client, new Socket(InetAddress.getLoopbackAddress(), serverPort));
      } catch (IOException e) {
        client.close();
        throw e;
      }
      lines.add(line);
      line.start();
    } finally {
      lock.unlock();
    }
  }

  void count(char type) {
    messages.computeIfAbsent(type, _ -> new LongAdder()).increment();
  }

  void countParsed(String sql) {
    parsed.computeIfAbsent(sql, _ -> new LongAdder()).increment();
  }

  /** Returns true for the one connection that executes this break. */
  boolean consumeBreak(ConnectionBreak place) {
    return armed.compareAndSet(place, new ConnectionBreak.NoBreak());
  }

  /** Returns the armed break; a connection must consume it before it breaks. */
  ConnectionBreak armedBreak() {
    return armed.get();
  }

  /** Subtracts sent bytes from an armed byte count; returns how many may still be sent. */
  int consumeBytes(int bytes) {
    while (armed.get() instanceof ConnectionBreak.BreakAfterBytes left) {
      long rest = left.bytes() - bytes;
      if (rest < 0) {
        if (armed.compareAndSet(left, new ConnectionBreak.NoBreak())) {
          return (int) left.bytes();
        }
      } else if (armed.compareAndSet(left, new ConnectionBreak.BreakAfterBytes(rest))) {
        return bytes;
      }
    }
    return bytes;
  }

  @Override
  public void close() {
    try {
      door.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      cutAll();
    }
  }
}
