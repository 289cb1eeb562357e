package dev.caliber.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.server.settings.ServerConfig;
import dev.caliber.server.telemetry.SpanCollector;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The traces of HTTP requests, as a collector receives them. */
@Timeout(120)
class TelemetryOverHttpTest {
  @TempDir Path directory;

  private static ServerConfig telling(String endpoint) {
    return TestServer.starter()
        .with(
            "server.telemetry.exporter = 'otlp'",
            "server.telemetry.endpoint = '%s'".formatted(endpoint));
  }

  @Test
  @DisplayName("OBS-02: a request to remember, recall or forget is a span without its text")
  void requestsAreSpans() throws IOException {
    try (SpanCollector collector = new SpanCollector()) {
      try (TestServer server =
          TestServer.start(TestServer.setup(directory, telling(collector.endpoint())))) {
        server.post("/remember", "{\"text\": \"Zebras prefer tea\", \"subject\": \"alice\"}");
        server.post("/recall", "{\"query\": \"Who prefers zebras?\"}");
        server.post("/forget", "{\"subject\": \"alice\"}");
      }
      assertThat(String.join("", collector.received()))
          .contains("update_memory", "search_memory", "delete_memory")
          .doesNotContainIgnoringCase("zebras");
    }
  }
}
