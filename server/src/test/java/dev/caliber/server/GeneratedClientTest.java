package dev.caliber.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.testkit.NpmProject;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client that an external tool generated from the contract. */
@Tag("node")
class GeneratedClientTest {
  @TempDir Path directory;

  @Test
  @DisplayName(
      "API-06, API-11: a client generated anew from the contract compiles, calls and is answered")
  void aGeneratedClientWorks() {
    Path root = Path.of(System.getProperty("caliber.root"));
    NpmProject clients =
        NpmProject.prepare(root.resolve("server/src/test/node"), root.resolve("target/node"));
    try (TestServer server = TestServer.start(directory)) {
      assertThat(
              clients.runScript(
                  "generated.mjs",
                  root.resolve("client/src/main/resources/dev/caliber/client/openapi.yaml")
                      .toString(),
                  server.server().address().toString()))
          .contains("generated client: 1 note, refused with 404");
    }
  }
}
