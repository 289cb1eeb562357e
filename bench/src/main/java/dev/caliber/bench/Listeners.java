package dev.caliber.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Event streams that wait, and the times at which they hear something. Plain sockets: nothing
 * between.
 */
final class Listeners implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 60;

  private final List<Socket> sockets = new ArrayList<>();
  private final LinkedBlockingQueue<Long> heard = new LinkedBlockingQueue<>();
  private final LinkedBlockingQueue<Boolean> ready = new LinkedBlockingQueue<>();

  private Listeners() {}

  /** All of them are there when it returns. */
  static Listeners open(URI server, int count) {
    Listeners listeners = new Listeners();
    try {
      for (int i = 0; i < count; i++) {
        listeners.listen(server);
      }
      for (int i = 0; i < count; i++) {
        await(listeners.ready);
      }
      return listeners;
    } catch (Throwable t) {
      try (listeners) {
        throw t;
      }
    }
  }

  private void listen(URI server) {
    try {
      Socket socket = new Socket(server.getHost(), server.getPort());
      sockets.add(socket);
      socket
          .getOutputStream()
          .write(
              "GET /api/v1/events?tables=note HTTP/1.1\r\nHost: %s\r\n\r\n"
                  .formatted(server.getAuthority())
                  .getBytes(StandardCharsets.US_ASCII));
      Thread.ofVirtual().name("listener").start(() -> hear(socket));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void hear(Socket socket) {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))) {
      boolean begun = false;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (!begun && line.startsWith(": here")) {
          begun = true;
          ready.add(true);
        } else if (line.startsWith("event: commit")) {
          heard.add(Stopwatch.nanos());
        }
      }
    } catch (IOException _) {
      return; // closed
    }
  }

  /** Writes one note, and returns how long it took each to hear of it. */
  Samples hear(Runnable writing) {
    long start = Stopwatch.nanos();
    writing.run();
    Samples latencies = new Samples();
    for (int i = 0; i < sockets.size(); i++) {
      latencies.add(await(heard) - start);
    }
    return latencies;
  }

  private static <T> T await(LinkedBlockingQueue<T> queue) {
    try {
      T found = queue.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (found == null) {
        throw BenchException.notDelivered(0);
      }
      return found;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while listening", e);
    }
  }

  @Override
  public void close() {
    for (Socket socket : sockets) {
      try {
        socket.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
