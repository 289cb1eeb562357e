package dev.caliber.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.app.shell.ServerProcess;
import dev.caliber.client.CaliberClient;
import dev.caliber.client.CaliberClientException;
import dev.caliber.kernel.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Tests that a server stops cleanly while many clients use it. */
@Timeout(240)
class AppStopTest {
  private static final int WRITERS = 4;
  private static final int TERMINATED = 143;
  private static final int UNAVAILABLE = 503;

  @TempDir Path directory;
  private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();
  private final CountDownLatch written = new CountDownLatch(100);
  private final CountDownLatch loaded = new CountDownLatch(100);
  private final CountDownLatch heard = new CountDownLatch(100);

  /** Writes until the server refuses or has ended; returns the last status. */
  private int write(URI server, int writer) {
    try (CaliberClient client = CaliberClient.of(server)) {
      for (int i = 0; true; i++) {
        String about = "w%d-%d".formatted(writer, i);
        JsonNode made =
            client.post(
                "/remember",
                CaliberClient.emptyObject().put("text", "Note " + about).put("about", about));
        acknowledged.add(made.path("note").path("id").asString());
        written.countDown();
      }
    } catch (CaliberClientException told) {
      return told.status();
    }
  }

  /** Returns whether the stream ended with its end mark, not in the middle. */
  private boolean listen(URI server) throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient();
        BufferedReader lines =
            new BufferedReader(
                new InputStreamReader(
                    client
                        .send(
                            HttpRequest.newBuilder(server.resolve("/api/v1/events")).build(),
                            BodyHandlers.ofInputStream())
                        .body(),
                    StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        heard.countDown();
      }
      return true;
    }
  }

  private static void chunk(OutputStream out, String text) throws IOException {
    out.write("%x\r\n%s\r\n".formatted(text.length(), text).getBytes(StandardCharsets.ISO_8859_1));
    out.flush();
  }

  private static Socket bulk(URI server) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.getPort());
    socket
        .getOutputStream()
        .write(
            """
            POST /api/v1/bulk HTTP/1.1\r
            Host: localhost\r
            Connection: close\r
            Content-Type: application/x-ndjson\r
            Transfer-Encoding: chunked\r
            \r
            """
                .getBytes(StandardCharsets.ISO_8859_1));
    return socket;
  }

  private static String line(int i) {
    return "{\"operation\": \"remember\", \"input\": {\"text\": \"Line %d\", \"about\": \"b%d\"}}\n"
        .formatted(i, i);
  }

  /** Sends each line after the answer to the one before; returns the last answer. */
  private JsonNode load(URI server) throws IOException {
    try (Socket socket = bulk(server);
        BufferedReader answers =
            new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))) {
      JsonNode last = Json.mapper().missingNode();
      chunk(socket.getOutputStream(), line(0));
      int sent = 1;
      for (String text = answers.readLine(); text != null; text = answers.readLine()) {
        if (text.startsWith("{")) {
          last = Json.read(text, JsonNode.class);
          if (last.path("status").asInt() == 200) {
            acknowledged.add(last.at("/answer/note/id").asString());
            loaded.countDown();
            chunk(socket.getOutputStream(), line(sent++));
          }
        }
      }
      return last;
    }
  }

  /** Sends one line and then nothing; returns the last answer. */
  private static JsonNode dawdle(URI server, CountDownLatch begun) throws IOException {
    try (Socket socket = bulk(server);
        BufferedReader answers =
            new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))) {
      chunk(socket.getOutputStream(), line(1_000_000));
      List<String> lines = new ArrayList<>();
      for (String text = answers.readLine(); text != null; text = answers.readLine()) {
        if (text.startsWith("{")) {
          lines.add(text);
          begun.countDown();
        }
      }
      return Json.read(lines.getLast(), JsonNode.class);
    }
  }

  private Set<String> notes() throws IOException {
    Set<String> found = new HashSet<>();
    try (ServerProcess again = ServerProcess.start(directory);
        CaliberClient client = CaliberClient.of(again.address())) {
      String cursor = "";
      do {
        JsonNode page = client.get("/notes?limit=100" + cursor);
        page.path("items").forEach(note -> found.add(note.path("id").asString()));
        cursor =
            page.has("next")
                ? "&cursor=" + CaliberClient.encodePathSegment(page.path("next").asString())
                : "";
      } while (!cursor.isEmpty());
    }
    return found;
  }

  private static <T> Callable<T> unchecked(Callable<T> work) {
    return () -> {
      try {
        return work.call();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    };
  }

  @Test
  @DisplayName("SIGTERM under load loses nothing, ends streams and bulk with a message, and ends")
  void aStopLosesNothing() throws Exception {
    try (ExecutorService clients =
            Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("client-", 0).factory());
        ServerProcess server = ServerProcess.start(directory)) {
      URI at = server.address();
      CountDownLatch dawdling = new CountDownLatch(1);
      List<Future<Integer>> writers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        int writer = i;
        writers.add(clients.submit(() -> write(at, writer)));
      }
      Future<Boolean> stream = clients.submit(unchecked(() -> listen(at)));
      Future<JsonNode> loading = clients.submit(unchecked(() -> load(at)));
      Future<JsonNode> waiting = clients.submit(unchecked(() -> dawdle(at, dawdling)));
      written.await();
      loaded.await();
      heard.await();
      dawdling.await();
      assertThat(server.stop()).isEqualTo(TERMINATED);
      assertThat(stream.get()).isTrue();
      assertThat(loading.get().toString()).contains("OVERLOADED", "the server is stopping");
      assertThat(waiting.get().toString()).contains("OVERLOADED", "the server is stopping");
      for (Future<Integer> writer : writers) {
        assertThat(writer.get()).isIn(CaliberClientException.UNREACHABLE, UNAVAILABLE);
      }
    }
    assertThat(directory.resolve("caliber-data/server.json")).doesNotExist();
    assertThat(acknowledged).hasSizeGreaterThan(200);
    assertThat(notes()).containsAll(acknowledged);
  }
}
