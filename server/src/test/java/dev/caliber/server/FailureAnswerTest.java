package dev.caliber.server;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.caliber.kernel.Json;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/** A failure is found in the log by the id that its caller got. */
class FailureAnswerTest {
  @TempDir Path directory;
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final Logger log =
      (Logger) LoggerFactory.getLogger("dev.caliber.server.rest.HttpErrorHandler");

  @BeforeEach
  void listen() {
    lines.start();
    log.addAppender(lines);
  }

  @AfterEach
  void stop() {
    log.detachAppender(lines);
  }

  @Test
  @DisplayName("the log line of a 500 has its class, message, frames, route and request id")
  void theLogHasTheCause() throws Exception {
    try (Rig rig =
        new Rig(
            TestServer.setup(directory, TestServer.starter()),
            () -> {
              throw new IllegalStateException("The row \"my secret note\" broke");
            })) {
      HttpResponse<String> failed = rig.get("/api/v1/spaces");
      assertThat(failed.statusCode()).isEqualTo(500);
      JsonNode problem = Json.read(failed.body(), JsonNode.class);
      String id = problem.path("request_id").asString();
      assertThat(failed.headers().firstValue("Caliber-Request-Id")).contains(id);
      assertThat(id).hasSize(26);
      List<String> said = lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
      assertThat(said).hasSize(1);
      assertThat(said.getFirst())
          .contains(id, "500 GET /api/v1/spaces", "java.lang.IllegalStateException: The row")
          .contains("dev.caliber.server.FailureAnswerTest")
          .doesNotContain("my secret note", "\n");
      assertThat(failed.body()).doesNotContain("The row", "IllegalState");
    }
  }

  @Test
  @DisplayName("every answer of REST has the id of its request, each another")
  void everyAnswerHasAnId() {
    try (TestServer server = TestServer.start(directory)) {
      assertThat(server.get("/spaces").header("Caliber-Request-Id"))
          .hasSize(26)
          .isNotEqualTo(server.get("/spaces").header("Caliber-Request-Id"));
      assertThat(server.get("/nothing").text("request_id")).hasSize(26);
    }
  }
}
