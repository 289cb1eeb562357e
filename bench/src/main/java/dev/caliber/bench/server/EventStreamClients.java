package dev.caliber.bench.server;

import dev.caliber.bench.harness.BenchException;
import dev.caliber.bench.harness.MeasuredSamples;
import dev.caliber.bench.harness.Stopwatch;
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
 * Open event streams, and the times at which they receive a commit. Plain sockets and one thread
 * that reads all of them, so that the clients take little of the machine.
 */
final class EventStreamClients implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 60;
  private static final int BUFFER = 1 << 16;

  private final Selector selector;
  private final int count;
  private final CountDownLatch ready;
  private volatile DeliveryRound deliveryRound = new DeliveryRound(0, 0);

  private EventStreamClients(int count) throws IOException {
    this.selector = Selector.open();
    this.count = count;
    this.ready = new CountDownLatch(count);
  }

  /** The time at which each client received one note; the last one wakes the waiting thread. */
  private static final class DeliveryRound {
    private final long start;
    private final MeasuredSamples times = new MeasuredSamples(); // written by the reading thread
    private final CountDownLatch missing;

    DeliveryRound(int listeners, long start) {
      this.start = start;
      this.missing = new CountDownLatch(listeners);
    }

    void recordDelivery(long nanos) {
      if (missing.getCount() > 0) {
        times.add(nanos - start);
        missing.countDown();
      }
    }
  }

  /** Opens the streams; all are connected on return. */
  static EventStreamClients open(URI server, int count) {
    try {
      EventStreamClients eventStreamClients = new EventStreamClients(count);
      try {
        eventStreamClients.connectAll(server);
        return eventStreamClients;
      } catch (Throwable t) {
        try (eventStreamClients) {
          throw t;
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void connectAll(URI server) throws IOException {
    for (int i = 0; i < count; i++) {
      connect(server);
    }
    Thread.ofPlatform().name("listeners").daemon().start(this::readUntilClosed);
    await(ready);
  }

  private void connect(URI server) throws IOException {
    SocketChannel channel =
        SocketChannel.open(new InetSocketAddress(server.getHost(), server.getPort()));
    try {
      channel.write(
          StandardCharsets.US_ASCII.encode(
              "GET /api/v1/events?tables=note HTTP/1.1\r\nHost: %s\r\n\r\n"
                  .formatted(server.getAuthority())));
      channel.configureBlocking(false);
      channel.register(selector, SelectionKey.OP_READ, new EventStreamClient());
    } catch (Throwable t) {
      try (channel) {
        throw t;
      }
    }
  }

  private void readUntilClosed() {
    ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
    try {
      while (selector.isOpen()) {
        selector.select(key -> readStream(key, buffer));
      }
    } catch (ClosedSelectorException _) {
      return; // closed
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void readStream(SelectionKey key, ByteBuffer buffer) {
    try {
      int read = ((SocketChannel) key.channel()).read(buffer.clear());
      if (read < 0) {
        key.cancel();
      } else if (key.attachment() instanceof EventStreamClient eventStreamClient) {
        eventStreamClient.acceptText(StandardCharsets.UTF_8.decode(buffer.flip()));
      }
    } catch (IOException _) {
      key.cancel(); // wakes the waiting thread, which reports the missing streams
    }
  }

  /** The lines of one stream, which arrive in pieces. */
  private final class EventStreamClient {
    private final StringBuilder line = new StringBuilder();
    private boolean begun;

    void acceptText(CharSequence piece) {
      for (int i = 0; i < piece.length(); i++) {
        char next = piece.charAt(i);
        if (next == '\n') {
          endLine();
        } else {
          line.append(next);
        }
      }
    }

    private void endLine() {
      if (!begun && line.indexOf(": here") == 0) {
        begun = true;
        ready.countDown();
      } else if (line.indexOf("event: commit") == 0) {
        deliveryRound.recordDelivery(Stopwatch.nanos());
      }
      line.setLength(0);
    }
  }

  /** Writes one note, and returns the time until each client received it. */
  MeasuredSamples measureDelivery(Runnable writing) {
    DeliveryRound all = new DeliveryRound(count, Stopwatch.nanos());
    deliveryRound = all;
    writing.run();
    await(all.missing);
    return all.times;
  }

  private static void await(CountDownLatch latch) {
    try {
      if (!latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw BenchException.eventsNotReceived(latch.getCount());
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
