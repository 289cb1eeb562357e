package dev.caliber.bench;

import dev.caliber.kernel.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** A Chromium without a screen, controlled by its debugging protocol. */
final class ChromiumBrowser implements AutoCloseable {
  private static final List<String> NAMES =
      List.of("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome");
  private static final String ADDRESS = "DevTools listening on ";
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Process process;
  private final HttpClient client = HttpClient.newHttpClient();
  private final Map<Integer, CompletableFuture<JsonNode>> asked = new ConcurrentHashMap<>();
  private final AtomicInteger questions = new AtomicInteger();
  private final WebSocket socket;

  private ChromiumBrowser(Process process, URI address) {
    this.process = process;
    this.socket = client.newWebSocketBuilder().buildAsync(address, new DevToolsListener()).join();
  }

  /** Returns the named browser, or the first one installed. */
  static Path findExecutable(Optional<Path> named) {
    return Stream.concat(named.stream(), NAMES.stream().map(Path::of))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(
            () ->
                BenchException.preparationFailed(
                    "Finding Chromium",
                    new IOException("none is installed; name one with --chromium")));
  }

  static ChromiumBrowser start(Path executable, Path directory) {
    try {
      Process process =
          new ProcessBuilder(
                  executable.toString(),
                  "--headless=new",
                  "--no-sandbox",
                  "--hide-scrollbars",
                  "--remote-debugging-port=0",
                  "--user-data-dir=" + directory,
                  "about:blank")
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return new ChromiumBrowser(process, address(process));
    } catch (IOException e) {
      throw BenchException.preparationFailed("Starting Chromium", e);
    }
  }

  private static URI address(Process process) throws IOException {
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8));
    String line = lines.readLine();
    while (line != null && !line.startsWith(ADDRESS)) {
      line = lines.readLine();
    }
    if (line == null) {
      throw new IOException("it ended before it printed its address");
    }
    Thread.ofVirtual().name("chromium-complaints").start(() -> lines.lines().forEach(_ -> {}));
    return URI.create(line.substring(ADDRESS.length()));
  }

  /** Receives answers, and ignores events. */
  private final class DevToolsListener implements WebSocket.Listener {
    private final StringBuilder text = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
      text.append(data);
      if (last) {
        JsonNode message = Json.mapper().readTree(text.toString());
        text.setLength(0);
        CompletableFuture<JsonNode> waiting = asked.remove(message.path("id").asInt(-1));
        if (waiting != null) {
          waiting.complete(message);
        }
      }
      from.request(1);
      return CompletableFuture.completedFuture(from);
    }
  }

  /** Sends one command to the browser or to one of its pages. */
  JsonNode sendCommand(Optional<String> page, String method, Map<String, Object> parameters) {
    int number = questions.incrementAndGet();
    CompletableFuture<JsonNode> answer = new CompletableFuture<>();
    asked.put(number, answer);
    Map<String, Object> message = new java.util.LinkedHashMap<>();
    message.put("id", number);
    message.put("method", method);
    message.put("params", parameters);
    page.ifPresent(session -> message.put("sessionId", session));
    socket.sendText(Json.text(message), true).join();
    try {
      JsonNode heard = answer.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
      if (heard.has("error") || heard.path("result").has("exceptionDetails")) {
        throw BenchException.preparationFailed(method, new IOException(heard.toString()));
      }
      return heard.path("result");
    } catch (ExecutionException | TimeoutException e) {
      throw BenchException.preparationFailed(method, new IOException(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw BenchException.preparationFailed(method, new IOException(e));
    }
  }

  @Override
  public void close() {
    client.shutdownNow();
    process.destroy();
    try {
      process.waitFor();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
