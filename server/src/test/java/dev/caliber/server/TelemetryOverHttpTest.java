package dev.caliber.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.caliber.server.settings.ServerConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a collector is told of requests, by the way that requests take. */
@Timeout(120)
class TelemetryOverHttpTest {
  @TempDir Path directory;

  private static ServerConfig telling(String endpoint) {
    ServerConfig config = TestServer.starter();
    return new ServerConfig(
        config.listening(),
        config.space(),
        config.limits(),
        config.network(),
        config.keeping(),
        new ServerConfig.Telemetry(ServerConfig.Exporter.OTLP, endpoint, false),
        config.mcp(),
        config.proxy(),
        config.webhooks(),
        config.grpc());
  }

  @Test
  @DisplayName("OBS-02: a request to remember, recall or forget is a span, without what was said")
  void requestsAreSpans() throws IOException {
    Queue<String> received = new ConcurrentLinkedQueue<>();
    HttpServer collector =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    collector.createContext(
        "/v1/traces",
        exchange -> {
          received.add(
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.ISO_8859_1));
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    collector.start();
    try {
      String endpoint = "http://localhost:%d/v1/traces".formatted(collector.getAddress().getPort());
      try (TestServer server = TestServer.start(TestServer.setup(directory, telling(endpoint)))) {
        server.post("/remember", "{\"text\": \"Zebras prefer tea\", \"subject\": \"alice\"}");
        server.post("/recall", "{\"query\": \"Who prefers zebras?\"}");
        server.post("/forget", "{\"subject\": \"alice\"}");
      }
      assertThat(String.join("", received))
          .contains("update_memory", "search_memory", "delete_memory")
          .doesNotContainIgnoringCase("zebras");
    } finally {
      collector.stop(0);
    }
  }
}
