package dev.caliber.app.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.app.Main;
import dev.caliber.app.serve.McpMessage;
import dev.caliber.app.shell.Shell.Ran;
import dev.caliber.kernel.Json;
import dev.caliber.server.ServerAddressFile;
import dev.caliber.testkit.NpmProject;
import java.io.IOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Tests of the bridge that clients start, and of the configuration that makes them start it. */
class AppMcpTest {
  private static final int BRIDGES = 10;

  @TempDir Path directory;

  @BeforeEach
  void configure() throws IOException {
    String quick =
        AppConfig.starterText()
            .replaceFirst("(?m)^provider = \"in-process\"$", "provider = \"hash\"");
    Files.writeString(directory.resolve(AppConfig.FILE_NAME), quick);
  }

  /** Ends the servers that bridges have started. */
  @AfterEach
  void stopServer() throws IOException {
    Path file = directory.resolve("caliber-data").resolve("server.json");
    if (Files.exists(file)) {
      long pid = Json.mapper().readTree(Files.readAllBytes(file)).path("pid").asLong();
      ProcessHandle.of(pid)
          .ifPresent(
              server -> {
                server.destroy();
                server.onExit().join();
              });
    }
  }

  private static String call(int id, String tool, String arguments) {
    return """
    {"jsonrpc": "2.0", "id": %d, "method": "tools/call", \
    "params": {"name": "%s", "arguments": %s}}
    """
        .formatted(id, tool, arguments);
  }

  @Test
  @DisplayName("Ten bridges on one store share one server, and print nothing but the protocol")
  void manyBridgesShareAServer() throws IOException, InterruptedException {
    List<Process> bridges = new ArrayList<>();
    for (int i = 0; i < BRIDGES; i++) {
      Process bridge =
          new Shell(directory)
              .start(
                  ProcessBuilder.Redirect.to(
                      directory.resolve("bridge-%d.log".formatted(i)).toFile()),
                  "mcp");
      bridges.add(bridge);
      try (Writer to = bridge.outputWriter(StandardCharsets.UTF_8)) {
        to.write("not a message\n\n");
        to.write("{\"jsonrpc\": \"2.0\", \"method\": \"notifications/initialized\"}\n");
        to.write(
            call(
                i,
                "remember",
                "{\"text\": \"Door %d is green\", \"about\": \"door %d\"}".formatted(i, i)));
      }
    }
    for (int i = 0; i < BRIDGES; i++) {
      List<String> lines = bridges.get(i).inputReader(StandardCharsets.UTF_8).lines().toList();
      assertThat(bridges.get(i).waitFor()).isZero();
      assertThat(lines).hasSize(2);
      assertThat(lines).allSatisfy(line -> assertThat(line).startsWith("{\"jsonrpc\":\"2.0\""));
      assertThat(lines).anyMatch(line -> line.contains("-32700"));
      String answer = "\"id\":%d,\"result\"".formatted(i);
      assertThat(lines).anyMatch(line -> line.contains(answer));
    }
    String tooLong = "x".repeat(9 << 20) + "\n";
    Ran asked = new Shell(directory).typing(tooLong + call(1, "read_graph", "{}")).run("mcp");
    assertThat(asked.code()).as(asked.err()).isZero();
    List<String> answers = asked.out().lines().toList();
    assertThat(answers.getFirst()).contains("-32600");
    JsonNode graph = Json.mapper().readTree(answers.getLast()).at("/result/structuredContent");
    assertThat(graph.path("entities")).hasSize(BRIDGES);
    String log = Files.readString(directory.resolve("caliber-data").resolve("server.log"));
    assertThat(log.lines().filter(line -> line.contains("listens at"))).hasSize(1);
  }

  @Test
  @DisplayName(
      "Ctrl-C in one client does not end the shared server, and its log does not grow for ever")
  void aServerOutlivesCtrlC() throws IOException, InterruptedException {
    Path data = Files.createDirectories(directory.resolve("caliber-data"));
    Files.writeString(data.resolve("server.log"), "x".repeat(2 << 20));
    assertThat(new Shell(directory).typing(call(1, "read_graph", "{}")).run("mcp").out())
        .contains("\"result\"");
    assertThat(data.resolve("server.log.old")).hasSize(2 << 20);
    assertThat(Files.size(data.resolve("server.log"))).isLessThan(2 << 20);
    JsonNode server = Json.mapper().readTree(Files.readAllBytes(data.resolve("server.json")));
    long pid = server.path("pid").asLong();
    for (String signal : List.of("INT", "HUP")) {
      assertThat(new ProcessBuilder("kill", "-" + signal, "" + pid).start().waitFor()).isZero();
    }
    assertThat(new Shell(directory).typing(call(2, "read_graph", "{}")).run("mcp").out())
        .contains("\"result\"");
    assertThat(Json.mapper().readTree(Files.readAllBytes(data.resolve("server.json"))))
        .isEqualTo(server);
  }

  @Test
  @DisplayName("A server without requests ends by itself, and the next message starts one")
  void anIdleServerEnds() throws IOException {
    Path file = directory.resolve(AppConfig.FILE_NAME);
    Files.writeString(
        file,
        Files.readString(file)
            .replaceFirst("(?m)^idle-timeout = \"30m\"$", "idle-timeout = \"3s\""));
    Path named = directory.resolve("caliber-data").resolve("server.json");
    String asked = call(1, "remember", "{\"text\": \"Tea is hot\"}");
    assertThat(new Shell(directory).typing(asked).run("mcp").out()).contains("\"result\"");
    if (Files.exists(named)) {
      long pid = Json.mapper().readTree(Files.readAllBytes(named)).path("pid").asLong();
      ProcessHandle.of(pid).ifPresent(server -> server.onExit().join());
    }
    assertThat(named).doesNotExist();
    assertThat(new Shell(directory).typing(call(2, "read_graph", "{}")).run("mcp").out())
        .contains("Tea is hot");
    assertThat(Files.readString(directory.resolve("caliber-data").resolve("server.log")).lines())
        .filteredOn(line -> line.contains("listens at"))
        .hasSize(2);
  }

  @Test
  @DisplayName("A message is one line for its client, whatever its layout from the server")
  void aMessageIsOneLine() {
    assertThat(McpMessage.toSingleLine("{\n  \"id\": 1,\n  \"result\": {}\n}"))
        .isEqualTo("{\"id\":1,\"result\":{}}");
    assertThat(McpMessage.toSingleLine(" {\"id\": 1} ")).isEqualTo("{\"id\": 1}");
    assertThat(McpMessage.toSingleLine("no\njson")).isEqualTo("no json");
  }

  @Test
  @DisplayName("DEP-02: the server of a bridge listens at loopback, whatever the settings say")
  void aBridgeOpensNoDoor() throws IOException {
    Path file = directory.resolve(AppConfig.FILE_NAME);
    Files.writeString(
        file, Files.readString(file).replaceFirst("(?m)^host = .*$", "host = \"0.0.0.0\""));
    Ran asked = new Shell(directory).typing(call(1, "read_graph", "{}")).run("mcp");
    assertThat(asked.code()).as(asked.err()).isZero();
    assertThat(asked.out()).contains("\"result\"");
    assertThat(Files.readString(directory.resolve("caliber-data").resolve("server.log")))
        .contains("listens at http://127.0.0.1:")
        .doesNotContain("NO_API_KEYS");
  }

  @Test
  @DisplayName("DEP-02: the server of a bridge needs no certificate, whatever the settings say")
  void aBridgeNeedsNoCertificate() throws IOException {
    Path file = directory.resolve(AppConfig.FILE_NAME);
    Files.writeString(
        file,
        Files.readString(file)
            .replaceFirst("(?m)^certificate = .*$", "certificate = \"not-there.pem\"")
            .replaceFirst("(?m)^key = \"\"$", "key = \"not-there.key\""));
    Ran asked = new Shell(directory).typing(call(1, "read_graph", "{}")).run("mcp");
    assertThat(asked.code()).as(asked.err()).isZero();
    assertThat(asked.out()).contains("\"result\"");
    assertThat(Files.readString(directory.resolve("caliber-data").resolve("server.log")))
        .contains("listens at http://127.0.0.1:");
  }

  @Test
  @DisplayName("A running server that is not trusted is reported at once; no other is started")
  void anUntrustedServerIsNamed() throws IOException {
    Path data = Files.createDirectories(directory.resolve("caliber-data"));
    try (ServerSocket plain = new ServerSocket(0, 0, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual().name("plain").start(() -> answerInTheClear(plain));
      URI address = URI.create("https://127.0.0.1:%d".formatted(plain.getLocalPort()));
      try (ServerAddressFile _ = ServerAddressFile.write(data, address)) {
        Ran asked = new Shell(directory).typing(call(1, "read_graph", "{}")).run("mcp");
        assertThat(asked.code()).isNotZero();
        assertThat(asked.err()).contains("is not trusted", address.toString(), "--url");
      }
    }
    assertThat(data.resolve("server.log")).doesNotExist();
  }

  /** Answers a TLS handshake with plain HTTP. */
  private static void answerInTheClear(ServerSocket socket) {
    while (!socket.isClosed()) {
      try (Socket client = socket.accept()) {
        client
            .getOutputStream()
            .write("HTTP/1.1 400 No\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      } catch (IOException _) {
        // the client has left, or the socket is closed
      }
    }
  }

  @Test
  @Tag("node")
  @DisplayName("Clients from npm work through the bridge; a server that ended is started again")
  void servesRealClients() throws IOException {
    Path root = Path.of(System.getProperty("caliber.root"));
    NpmProject clients =
        NpmProject.prepare(root.resolve("server/src/test/node"), root.resolve("target/node"));
    for (String script : List.of("legacy.mjs", "modern.mjs")) {
      assertThat(
              clients.runScript(
                  script,
                  "stdio",
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-cp",
                  System.getProperty("java.class.path"),
                  Main.class.getName(),
                  "mcp",
                  "--config",
                  directory.resolve(AppConfig.FILE_NAME).toString()))
          .contains("called 22 tools");
      stopServer();
    }
  }

  @Test
  @DisplayName("A client's file gets the server and keeps its other content")
  void connectsClients() throws IOException {
    Shell shell = new Shell(directory);
    Path file = directory.resolve(".cursor").resolve("mcp.json");
    assertThat(shell.run("connect", "cursor", "--dry-run").out()).contains("\"mcp\"");
    assertThat(file).doesNotExist();
    Files.createDirectories(directory.resolve(".cursor"));
    Files.writeString(file, "{\"mcpServers\": {\"other\": {\"command\": \"x\"}}, \"more\": 1}");
    Path kept = Files.move(file, directory.resolve("kept.json"));
    Files.setPosixFilePermissions(kept, PosixFilePermissions.fromString("rw-rw-r--"));
    Files.createSymbolicLink(file, kept);
    Ran ran = shell.run("connect", "cursor", "--data", "memory", "--space", "team-a");
    assertThat(ran.code()).as(ran.err()).isZero();
    ObjectNode written = (ObjectNode) Json.mapper().readTree(Files.readAllBytes(file));
    assertThat(written.at("/mcpServers/other/command").asString()).isEqualTo("x");
    assertThat(written.at("/more").asInt()).isEqualTo(1);
    assertThat(written.at("/mcpServers/caliber/args").toString())
        .isEqualTo(
            "[\"mcp\",\"--data\",\"%s\",\"--space\",\"team-a\"]"
                .formatted(directory.resolve("memory")));
    assertThat(file).isSymbolicLink();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(kept)))
        .isEqualTo("rw-rw-r--");
    shell.run("connect", "vscode");
    assertThat(directory.resolve(".vscode").resolve("mcp.json"))
        .content()
        .contains("\"servers\"", "\"stdio\"");
    Files.writeString(directory.resolve(".mcp.json"), "// mine\n{}");
    Ran refused = shell.run("connect", "claude-code");
    assertThat(refused.code()).isNotZero();
    assertThat(directory.resolve(".mcp.json")).content().isEqualTo("// mine\n{}");
    assertThat(shell.run("connect", "emacs").code()).isEqualTo(ExitCode.USAGE.number());
  }
}
