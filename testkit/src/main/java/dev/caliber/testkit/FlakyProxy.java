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
 * A line to a PostgreSQL server that breaks when it is told to, and counts what clients send. It
 * understands the protocol's frames, so that it can break just before or just after a commit.
 */
public final class FlakyProxy implements AutoCloseable {

  /** Where a line breaks, once. */
  public sealed interface Break {
    /** Nowhere. */
    record Never() implements Break {}

    /** The next commit never reaches the server. */
    record BeforeCommit() implements Break {}

    /** The next commit never reaches the server, and neither does anything else until revived. */
    record ForGoodBeforeCommit() implements Break {}

    /** The server has done the next commit, but its answer never comes back. */
    record AfterCommit() implements Break {}

    /** In the middle of whatever is sent, after this many bytes from clients. */
    record AfterBytes(long bytes) implements Break {}
  }

  private final ServerSocket door;
  private final int serverPort;
  private final AtomicReference<Break> armed = new AtomicReference<>(new Break.Never());
  private final NavigableMap<Character, LongAdder> messages = new ConcurrentSkipListMap<>();
  private final NavigableMap<String, LongAdder> parsed = new ConcurrentSkipListMap<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition died = lock.newCondition();

  @GuardedBy("lock")
  private final List<FlakyLine> lines = new ArrayList<>();

  @GuardedBy("lock")
  private boolean dead;

  private FlakyProxy(ServerSocket door, int serverPort) {
    this.door = door;
    this.serverPort = serverPort;
  }

  /** Stands before the server on this port of this machine. */
  public static FlakyProxy before(PostgresServer server) {
    try {
      FlakyProxy proxy =
          new FlakyProxy(new ServerSocket(0, 0, InetAddress.getLoopbackAddress()), server.port());
      Thread.ofPlatform().name("flaky-door").daemon().start(proxy::accept);
      return proxy;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The server's address through this proxy. */
  public String url(PostgresServer server) {
    return server.url().replace(":" + serverPort + "/", ":" + door.getLocalPort() + "/");
  }

  /** Breaks one line at this place, then serves as if nothing had been. */
  public void breakOnce(Break place) {
    armed.set(place);
  }

  /** Breaks every line at once; new ones are served. */
  public void cutAll() {
    lock.lock();
    try {
      lines.forEach(FlakyLine::cut);
      lines.clear();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Breaks every line without the server's noticing, as when a network goes away, and hangs up on
   * new ones until revived.
   */
  public void die() {
    lock.lock();
    try {
      lines.forEach(FlakyLine::strand);
      dead = true;
      died.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Lets the server notice, and serves again. */
  public void revive() {
    cutAll();
    lock.lock();
    try {
      dead = false;
    } finally {
      lock.unlock();
    }
  }

  /** Waits until a line has broken for good. */
  public void awaitDeath() throws InterruptedException {
    lock.lock();
    try {
      while (!dead) {
        died.await();
      }
    } finally {
      lock.unlock();
    }
  }

  /** How many messages of each type clients have sent: 'B' is Bind, 'S' is Sync. */
  public Map<Character, Long> messages() {
    return counts(messages);
  }

  /** How often each statement was sent as text: to be parsed, or as a simple query. */
  public Map<String, Long> parsed() {
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
      FlakyLine line;
      try {
        line =
            new FlakyLine(this, client, new Socket(InetAddress.getLoopbackAddress(), serverPort));
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

  /** True for the one line that takes this break. */
  boolean takes(Break place) {
    return armed.compareAndSet(place, new Break.Never());
  }

  /** What is armed now; a line that wants it must take it. */
  Break armed() {
    return armed.get();
  }

  /** Takes sent bytes off a byte count that is armed; returns how many may still go. */
  int allowed(int bytes) {
    while (armed.get() instanceof Break.AfterBytes left) {
      long rest = left.bytes() - bytes;
      if (rest < 0) {
        if (armed.compareAndSet(left, new Break.Never())) {
          return (int) left.bytes();
        }
      } else if (armed.compareAndSet(left, new Break.AfterBytes(rest))) {
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
