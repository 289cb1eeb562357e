package dev.caliber.app.shell;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.caliber.app.shell.Shell.Ran;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of {@code caliber index}. */
class AppIndexTest {
  @TempDir static Path filled;
  @TempDir Path directory;

  private Shell shell = new Shell(Path.of(""));

  @BeforeAll
  static void fill() {
    Shell writer = new Shell(filled);
    for (String text :
        List.of("I prefer tea.", "The report is due on Friday.", "Alice plays the cello.")) {
      assertThat(writer.run("remember", text, "--data", "data/store").code()).isZero();
    }
  }

  /** Copies the filled store for each test, with hash vectors unless the test configures others. */
  @BeforeEach
  void copy() throws IOException {
    shell = new Shell(directory);
    try (Stream<Path> files = Files.walk(filled)) {
      for (Path file : files.skip(1).toList()) {
        Files.copy(file, directory.resolve(filled.relativize(file).toString()));
      }
    }
    configure("provider = \"hash\"");
  }

  /** Writes the starter configuration with these lines in place of the lines of the same keys. */
  private void configure(String... lines) throws IOException {
    String text = AppConfig.starterText();
    for (String line : lines) {
      String key = line.substring(0, line.indexOf(' '));
      text = text.replaceFirst("(?m)^" + key + " = .*$", line);
    }
    Files.writeString(directory.resolve(AppConfig.FILE_NAME), text);
  }

  private Ran index(String command, String... more) {
    return shell.run(
        Stream.concat(Stream.of("index", command, "--data", "data/store"), Stream.of(more))
            .toArray(String[]::new));
  }

  @Test
  void anIndexIsBuiltCheckedAndBuiltAnew() {
    var status = index("status");
    assertThat(status.code()).isZero();
    assertThat(status.out()).contains("DOCUMENTS").contains("PENDING").contains("000001-");
    var rebuilt = index("rebuild");
    assertThat(rebuilt.code()).isZero();
    assertThat(rebuilt.out()).containsPattern("is new: (\\d+) documents, \\1 vectors\\.");
    var again = index("status", "--json");
    assertThat(again.out()).contains("\"generation\":\"000002-").contains("\"backlog\":0");
    assertThat(index("check").out()).contains("0 differences");
    assertThat(index("migrate").out()).contains("is up to date");
  }

  @Test
  @DisplayName("the starter configuration embeds with the model in this process")
  void theStarterConfigurationEmbeds() throws IOException {
    Files.delete(directory.resolve(AppConfig.FILE_NAME));
    var waiting = index("status", "--json");
    assertThat(waiting.out()).contains("e5-small-v2").contains("\"vectors\":0");
    assertThat(waiting.out()).doesNotContain("\"backlog\":0");
    assertThat(index("rebuild", "--json").out())
        .contains("\"backlog\":0")
        .doesNotContain("\"vectors\":0");
  }

  @Test
  @DisplayName("another model is migrated to, and embeds all texts anew")
  void anotherModelIsMigratedTo() throws IOException {
    assertThat(index("rebuild").code()).isZero();
    configure(
        "provider = \"hash\"", "dimensions = 64", "migration = \"command\""); // of [models.http]
    String text = Files.readString(directory.resolve(AppConfig.FILE_NAME));
    Files.writeString(
        directory.resolve(AppConfig.FILE_NAME),
        text.replace("dimensions = 384", "dimensions = 48"));
    assertThat(index("status").out()).contains("run 'caliber index migrate'");
    assertThat(index("migrate").out()).containsPattern("is new: (\\d+) documents, \\1 vectors\\.");
    assertThat(index("status", "--json").out()).contains("hashing-48").contains("\"backlog\":0");
  }

  @Test
  void anIndexThatWasDeletedComesBack() throws IOException {
    String first = index("check", "--json").out();
    for (Path file : indexFiles().reversed()) {
      Files.delete(file);
    }
    assertThat(index("check", "--json").out()).isEqualTo(first);
    assertThat(first).contains("\"differences\":0");
  }

  @Test
  @DisplayName("an index directory with truncated or foreign files is rebuilt")
  void aCorruptDirectoryIsBuiltAnew() throws IOException {
    assertThat(index("rebuild").code()).isZero();
    for (Path file : indexFiles()) {
      if (Files.isRegularFile(file) && Files.size(file) > 1) {
        byte[] bytes = Files.readAllBytes(file);
        Files.write(file, java.util.Arrays.copyOf(bytes, bytes.length / 2));
      }
    }
    var status = index("status", "--json");
    assertThat(status.code()).as(status.err()).isZero();
    assertThat(index("check").out()).contains("0 differences");
    for (Path file : indexFiles()) {
      if (Files.isRegularFile(file)) {
        Files.writeString(file, "no index at all");
      }
    }
    assertThat(index("check").out()).contains("0 differences");
  }

  private List<Path> indexFiles() throws IOException {
    try (Stream<Path> files = Files.walk(directory.resolve("data/store/search"))) {
      return files.sorted().toList();
    }
  }

  @Test
  @DisplayName("a provider that cannot be reached leaves an index of words, and reports it")
  void anUnreachableProviderLeavesWords() throws IOException {
    configure("provider = \"openai\"", "endpoint = \"http://127.0.0.1:9/v1\"", "max-retries = 0");
    var rebuilt = index("rebuild");
    assertThat(rebuilt.code()).isEqualTo(ExitCode.UNAVAILABLE.number());
    assertThat(rebuilt.out()).containsPattern("documents, 0 vectors, \\d+ documents wait");
    assertThat(rebuilt.err())
        .contains("REQUEST_FAILED", "A request to openai failed", "Nothing is lost");
    assertThat(index("check").out()).contains("0 differences");
    configure("provider = \"hash\"");
    assertThat(index("rebuild").out()).containsPattern("(\\d+) documents, \\1 vectors\\.");
  }

  @Test
  @DisplayName("vectors of another length than configured are reported, with both lengths")
  void vectorsOfAnotherLengthAreNamed() throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          String body =
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          int texts = body.split("search_(query|document): ", -1).length - 1;
          byte[] answer = threeNumbers(texts).getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    server.start();
    try {
      configure(
          "provider = \"openai\"",
          "endpoint = \"http://127.0.0.1:%d/v1\"".formatted(server.getAddress().getPort()));
      var rebuilt = index("rebuild");
      assertThat(rebuilt.code()).isEqualTo(ExitCode.UNAVAILABLE.number());
      assertThat(rebuilt.err()).contains("DIMENSION_MISMATCH", "768", "3", "Nothing is lost");
      assertThat(index("status", "--json").out()).contains("\"failed\":0");
    } finally {
      server.stop(0);
    }
  }

  private static String threeNumbers(int texts) {
    StringBuilder items = new StringBuilder();
    for (int i = 0; i < texts; i++) {
      items.append(i == 0 ? "" : ",");
      items.append("{\"index\":%d,\"embedding\":[1,2,2]}".formatted(i));
    }
    return "{\"model\":\"nomic-embed-text\",\"data\":[%s]}".formatted(items);
  }

  @Test
  @DisplayName("a model that cannot be loaded and a missing key end the command at once")
  void aModelThatCannotBeLoadedIsNamed() throws IOException {
    configure("model = \"quantised\"");
    var missing = index("status");
    assertThat(missing.code()).isEqualTo(ExitCode.INVALID.number());
    assertThat(missing.err()).contains("e5-small-v2-q", "class path", "docs/models.md");
    configure("provider = \"openai\"", "key-variable = \"NO_SUCH_KEY\"");
    var keyless = index("status");
    assertThat(keyless.code()).isEqualTo(ExitCode.INVALID.number());
    assertThat(keyless.err()).contains("NO_SUCH_KEY", "models.http.key-variable");
    configure("provider = \"none\"");
    assertThat(index("check").out()).contains("0 differences");
    configure("provider = \"hash\"");
    assertThat(index("rebuild").code()).isZero();
    configure("provider = \"none\"");
    var blind = index("check");
    assertThat(blind.code()).isEqualTo(ExitCode.CONFLICT.number());
    assertThat(blind.err()).contains("hashing-384", "'none'", "caliber index migrate");
  }
}
