package dev.caliber.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.testkit.NpmProject;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** External clients, as their users run them. */
@Tag("node")
class McpClientsTest {
  @TempDir Path directory;
  private TestServer server;
  private NpmProject clients;

  @BeforeEach
  void start() {
    Path root = Path.of(System.getProperty("caliber.root"));
    clients = NpmProject.prepare(root.resolve("server/src/test/node"), root.resolve("target/node"));
    server = TestServer.start(directory);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private String run(String script, String... arguments) {
    return clients.runScript(script, arguments);
  }

  @Test
  @DisplayName("The TypeScript SDK 1 with a handshake lists and calls every tool")
  void servesTheOlderClient() {
    assertThat(run("legacy.mjs", "http", server.uri("/mcp").toString())).contains("called 22");
  }

  @Test
  @DisplayName("The TypeScript client 2 without a handshake does so too, and hears of changes")
  void servesTheNewerClient() {
    assertThat(run("modern.mjs", "http", server.uri("/mcp").toString())).contains("called 22");
  }

  @Test
  @DisplayName("The Inspector's command line lists and calls every tool")
  void servesTheInspector() {
    assertThat(run("inspector.mjs", server.uri("/mcp").toString())).contains("called 22");
  }

  @Test
  @DisplayName("The protocol's own conformance tests pass, as far as they want no tools of theirs")
  void conforms() {
    assertThat(run("conformance.mjs", server.uri("/mcp").toString()))
        .contains("conforms in 5 scenarios");
  }

  @Test
  @DisplayName("A client of gRPC in another language, made of caliber.proto, calls every method")
  void servesGrpc(@TempDir Path other) {
    Path proto =
        Path.of(
            System.getProperty("caliber.root"),
            "client/src/main/resources/dev/caliber/client/caliber.proto");
    try (TestServer grpc =
        TestServer.start(TestServer.setup(other, TestServer.starter().withGrpcPort(0)))) {
      int port = grpc.server().grpcPort().orElseThrow();
      assertThat(run("grpc.mjs", proto.toString(), "127.0.0.1:" + port)).contains("methods");
    }
  }

  @Test
  @DisplayName("The reference memory server gives the same answers to the same calls")
  void answersAsTheReferenceServer() {
    assertThat(run("parity.mjs", server.uri("/mcp").toString())).contains("same answers from 9");
  }
}
