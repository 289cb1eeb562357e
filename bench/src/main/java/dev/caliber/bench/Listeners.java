package dev.caliber.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Event streams that wait, and the times at which they hear something. Plain sockets and one thread
 * that listens at all of them, so that little of the machine is spent on listening.
 */
final class Listeners implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 60;
  private static final int BUFFER = 1 << 16;

  private final Selector selector;
  private final int count;
  private final CountDownLatch ready;
  private volatile Round round = new Round(0, 0);

  private Listeners(int count) throws IOException {
    this.selector = Selector.open();
    this.count = count;
    this.ready = new CountDownLatch(count);
  }

  /** How long it took each to hear of one note; who waits for it is woken once, by the last. */
  private static final class Round {
    private final long start;
    private final Samples times = new Samples(); // written by the thread that listens
    private final CountDownLatch missing;

    Round(int listeners, long start) {
      this.start = start;
      this.missing = new CountDownLatch(listeners);
    }

    void heard(long nanos) {
      if (missing.getCount() > 0) {
        times.add(nanos - start);
        missing.countDown();
      }
    }
  }

  /** All of them are there when it returns. */
  static Listeners open(URI server, int count) {
    try {
      Listeners listeners = new Listeners(count);
      try {
        listeners.listen(server);
        return listeners;
      } catch (Throwable t) {
        try (listeners) {
          throw t;
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void listen(URI server) throws IOException {
    for (int i = 0; i < count; i++) {
      ask(server);
    }
    Thread.ofPlatform().name("listeners").daemon().start(this::hearAll);
    await(ready);
  }

  private void ask(URI server) throws IOException {
    SocketChannel channel =
        SocketChannel.open(new InetSocketAddress(server.getHost(), server.getPort()));
    try {
      channel.write(
          StandardCharsets.US_ASCII.encode(
              "GET /api/v1/events?tables=note HTTP/1.1\r\nHost: %s\r\n\r\n"
                  .formatted(server.getAuthority())));
      channel.configureBlocking(false);
      channel.register(selector, SelectionKey.OP_READ, new Listener());
    } catch (Throwable t) {
      try (channel) {
        throw t;
      }
    }
  }

  private void hearAll() {
    ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
    try {
      while (selector.isOpen()) {
        selector.select(key -> hear(key, buffer));
      }
    } catch (ClosedSelectorException _) {
      return; // closed
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void hear(SelectionKey key, ByteBuffer buffer) {
    try {
      int read = ((SocketChannel) key.channel()).read(buffer.clear());
      if (read < 0) {
        key.cancel();
      } else if (key.attachment() instanceof Listener listener) {
        listener.hear(StandardCharsets.UTF_8.decode(buffer.flip()));
      }
    } catch (IOException _) {
      key.cancel(); // whoever waits for it is told that it did not hear
    }
  }

  /** The lines of one stream, which come in pieces. */
  private final class Listener {
    private final StringBuilder line = new StringBuilder();
    private boolean begun;

    void hear(CharSequence piece) {
      for (int i = 0; i < piece.length(); i++) {
        char next = piece.charAt(i);
        if (next == '\n') {
          end();
        } else {
          line.append(next);
        }
      }
    }

    private void end() {
      if (!begun && line.indexOf(": here") == 0) {
        begun = true;
        ready.countDown();
      } else if (line.indexOf("event: commit") == 0) {
        round.heard(Stopwatch.nanos());
      }
      line.setLength(0);
    }
  }

  /** Writes one note, and returns how long it took each to hear of it. */
  Samples hear(Runnable writing) {
    Round all = new Round(count, Stopwatch.nanos());
    round = all;
    writing.run();
    await(all.missing);
    return all.times;
  }

  private static void await(CountDownLatch latch) {
    try {
      if (!latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw BenchException.notHeard(latch.getCount());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while listening", e);
    }
  }

  @Override
  public void close() {
    try (selector) {
      for (SelectionKey key : selector.keys()) {
        key.channel().close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
