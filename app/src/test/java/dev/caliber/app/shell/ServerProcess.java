package dev.caliber.app.shell;

import dev.caliber.kernel.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import org.jspecify.annotations.NullMarked;
import tools.jackson.databind.JsonNode;

/**
 * A process of {@code caliber serve}.
 *
 * @param grpcPort the gRPC port, or 0 without gRPC
 */
@NullMarked
public record ServerProcess(Process process, URI address, int grpcPort) implements AutoCloseable {

  /** Shared by servers on one PostgreSQL: the key that encrypts secrets of webhooks. */
  private static final String WEBHOOK_KEY = Base64.getEncoder().encodeToString(new byte[32]);

  /** Starts on a free port, with vectors that need no model, so that the start is quick. */
  public static ServerProcess start(Path directory) throws IOException {
    return start(directory, UnaryOperator.identity());
  }

  /** Starts with changed settings. */
  public static ServerProcess start(Path directory, UnaryOperator<String> settings)
      throws IOException {
    Files.writeString(
        directory.resolve(AppConfig.FILE_NAME),
        settings.apply(
            AppConfig.starterText().replaceFirst("(?m)^provider = .*$", "provider = \"hash\"")));
    Process process =
        new Shell(directory)
            .with("CALIBER_WEBHOOK_KEY", WEBHOOK_KEY)
            .start(ProcessBuilder.Redirect.INHERIT, "serve", "--port", "0", "--json");
    BufferedReader out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    String line = out.readLine();
    if (line == null) {
      throw new IOException("the server printed no address");
    }
    JsonNode said = Json.read(line, JsonNode.class);
    return new ServerProcess(
        process, URI.create(said.path("url").asString()), said.path("grpc_port").asInt(0));
  }

  /** Returns a starter's text with another value for a key of a section. */
  public static String set(String text, String section, String key, String value) {
    int start = text.indexOf("[" + section + "]\n");
    String head = text.substring(0, start);
    return head
        + text.substring(start)
            .replaceFirst(
                "(?m)^%s = .*$".formatted(key),
                Matcher.quoteReplacement("%s = %s".formatted(key, value)));
  }

  /** Stops the process as an operator does; returns its exit code. */
  public int stop() throws InterruptedException {
    process.destroy();
    return process.waitFor();
  }

  public void kill() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
