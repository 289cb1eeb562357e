package dev.caliber.server.telemetry;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** A collector of spans on this machine that keeps the spans it receives. */
public final class SpanCollector implements AutoCloseable {
  private final BlockingQueue<String> received = new LinkedBlockingQueue<>();
  private final HttpServer server;

  public SpanCollector() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/v1/traces",
        exchange -> {
          received.add(
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.ISO_8859_1));
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    server.start();
  }

  public String endpoint() {
    return "http://localhost:%d/v1/traces".formatted(server.getAddress().getPort());
  }

  /** The messages, oldest first. */
  public BlockingQueue<String> received() {
    return received;
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
