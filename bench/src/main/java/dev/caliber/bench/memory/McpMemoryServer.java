package dev.caliber.bench.memory;

import dev.caliber.bench.harness.BenchException;
import dev.caliber.bench.harness.ProgressPrinter;
import dev.caliber.kernel.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The MCP reference server for memory, as its users run it: a process of Node with messages on its
 * standard streams, which keeps its graph in one file.
 */
final class McpMemoryServer implements AutoCloseable {

  private static final String PACKAGE = "@modelcontextprotocol/server-memory";
  private static final String PROTOCOL = "2025-06-18";
  private static final long FETCH_SECONDS = 120;

  private final Path directory;
  private final Path file;
  private final String version;
  private @Nullable Process process;
  private @Nullable BufferedReader answers;
  private @Nullable Writer questions;
  private long id;

  private McpMemoryServer(Path directory, String version) {
    this.directory = directory;
    this.file = directory.resolve("memory.jsonl");
    this.version = version;
  }

  /** Fetches the server with npm; if that fails, prints a message and returns empty. */
  static Optional<McpMemoryServer> install(
      Path directory, Map<String, String> environment, ProgressPrinter progressPrinter) {
    try {
      ProcessBuilder npm =
          new ProcessBuilder(
                  "npm",
                  "install",
                  "--prefix",
                  directory.toString(),
                  "--no-audit",
                  "--no-fund",
                  "--ignore-scripts",
                  PACKAGE)
              .redirectErrorStream(true)
              .redirectOutput(directory.resolve("npm.log").toFile());
      npm.environment().putAll(environment);
      Process fetching = npm.start();
      if (!fetching.waitFor(FETCH_SECONDS, TimeUnit.SECONDS) || fetching.exitValue() != 0) {
        fetching.destroyForcibly();
        progressPrinter.printLine("npm could not fetch %s; it is not measured".formatted(PACKAGE));
        return Optional.empty();
      }
      JsonNode about =
          Json.read(
              Files.readString(modulePath(directory).resolve("package.json")), JsonNode.class);
      return Optional.of(new McpMemoryServer(directory, about.get("version").asString()));
    } catch (IOException e) {
      progressPrinter.printLine(
          "npm is not installed (%s); %s is not measured".formatted(e.getMessage(), PACKAGE));
      return Optional.empty();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  private static Path modulePath(Path directory) {
    return directory.resolve("node_modules").resolve(PACKAGE);
  }

  String version() {
    return version;
  }

  /** Writes the server's file in its own format, and starts it. */
  void start(List<String> entities, Supplier<List<String>> observations) {
    List<String> lines = new ArrayList<>();
    for (String entity : entities) {
      lines.add(
          Json.text(
              Map.of(
                  "type",
                  "entity",
                  "name",
                  entity,
                  "entityType",
                  "bench",
                  "observations",
                  observations.get())));
    }
    try {
      Files.write(file, lines);
      ProcessBuilder node =
          new ProcessBuilder("node", modulePath(directory).resolve("dist/index.js").toString())
              .redirectError(directory.resolve("node.log").toFile());
      node.environment().put("MEMORY_FILE_PATH", file.toString());
      Process started = node.start();
      process = started;
      answers = started.inputReader(StandardCharsets.UTF_8);
      questions = started.outputWriter(StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw BenchException.preparationFailed("Starting " + PACKAGE, e);
    }
    call(
        "initialize",
        Map.of(
            "protocolVersion",
            PROTOCOL,
            "capabilities",
            Map.of(),
            "clientInfo",
            Map.of("name", "caliber-bench", "version", "1")));
    send(Map.of("jsonrpc", "2.0", "method", "notifications/initialized"));
  }

  void addObservation(String entity, String text) {
    call(
        "tools/call",
        Map.of(
            "name",
            "add_observations",
            "arguments",
            Map.of(
                "observations", List.of(Map.of("entityName", entity, "contents", List.of(text))))));
  }

  private void call(String method, Map<String, ?> parameters) {
    long mine = ++id;
    send(Map.of("jsonrpc", "2.0", "id", mine, "method", method, "params", parameters));
    JsonNode answer = readAnswer(mine);
    if (answer.has("error") || answer.at("/result/isError").asBoolean(false)) {
      throw BenchException.preparationFailed(method, new IOException(answer.toString()));
    }
  }

  private void send(Map<String, ?> message) {
    try {
      Writer out = java.util.Objects.requireNonNull(questions);
      out.write(Json.text(message) + "\n");
      out.flush();
    } catch (IOException e) {
      throw BenchException.preparationFailed("Asking " + PACKAGE, e);
    }
  }

  /** Reads the wanted answer, and skips notifications. */
  private JsonNode readAnswer(long wanted) {
    try {
      BufferedReader in = java.util.Objects.requireNonNull(answers);
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        JsonNode message = Json.read(line, JsonNode.class);
        if (message.has("id") && message.get("id").asLong(-1) == wanted) {
          return message;
        }
      }
      throw new IOException("it ended; see its log");
    } catch (IOException e) {
      throw BenchException.preparationFailed("Asking " + PACKAGE, e);
    }
  }

  @Override
  public void close() {
    if (process != null) {
      process.destroy();
      try {
        process.waitFor();
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
