package dev.caliber.app;

import dev.caliber.kernel.CaliberException;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Carries messages of the Model Context Protocol from standard streams to a server and back, a line
 * each. It holds no state but where the server is: when that one has gone, the next is found.
 */
final class McpBridge {
  private static final int RUNNING_BOUND = 256;
  private static final String DATA = "data:";
  private static final String PATH = "/mcp"; // below the path that a proxy gives the server

  private final Server server;
  private final HttpClient client;
  private final Map<String, String> headers;
  private final Terminal terminal;
  private final Bounds bounds;
  private final Map<Thread, McpMessage> running = new ConcurrentHashMap<>();
  private final Semaphore places = new Semaphore(RUNNING_BOUND);
  private volatile @Nullable URI address;

  McpBridge(
      Server server,
      HttpClient client,
      Map<String, String> headers,
      Terminal terminal,
      Bounds bounds) {
    this.server = server;
    this.client = client;
    this.headers = Map.copyOf(headers);
    this.terminal = terminal;
    this.bounds = bounds;
  }

  /** Says where the server is, however long it takes to be there. */
  interface Server {
    URI locate() throws InterruptedException;
  }

  /** How long a line may be, and how long answers are waited for when nobody asks any more. */
  record Bounds(long line, Duration stop) {}

  /** Until the client has nothing more to say, and has got every answer. */
  void run() throws IOException, InterruptedException {
    address = server.locate();
    try (InputStream in = new BufferedInputStream(terminal.in())) {
      for (Optional<byte[]> line = line(in); line.isPresent(); line = line(in)) {
        if (line.get().length > 0) {
          take(McpMessage.of(line.get()));
        }
      }
    } finally {
      finish();
    }
  }

  private void take(McpMessage message) {
    if (message.cancelled().isPresent()) {
      running.forEach((thread, other) -> cancel(thread, other, message));
      return;
    }
    if (!places.tryAcquire()) { // what frees a place comes by the same way: it has to be read
      message.failure("Too many messages at a time").ifPresent(this::print);
      return;
    }
    Thread thread = Thread.ofVirtual().name("mcp-message").unstarted(() -> carry(message));
    running.put(thread, message);
    thread.start();
  }

  private static void cancel(Thread thread, McpMessage running, McpMessage cancelling) {
    if (running.id().equals(cancelling.cancelled())) {
      thread.interrupt();
    }
  }

  private void carry(McpMessage message) {
    try {
      exchange(message);
    } catch (CaliberException e) {
      message.failure(e.report()).ifPresent(this::print);
    } catch (IOException e) {
      message.failure("The server could not be asked: " + e.getMessage()).ifPresent(this::print);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt(); // nobody waits for it any more
    } finally {
      running.remove(Thread.currentThread());
      places.release();
    }
  }

  private void exchange(McpMessage message) throws IOException, InterruptedException {
    HttpResponse<InputStream> response;
    try {
      response = client.send(request(message), BodyHandlers.ofInputStream());
    } catch (ConnectException _) {
      address = server.locate(); // it has ended; the message did not reach it
      response = client.send(request(message), BodyHandlers.ofInputStream());
    }
    try (InputStream body = response.body()) {
      String type = response.headers().firstValue("Content-Type").orElse("");
      if (response.statusCode() == HttpURLConnection.HTTP_ACCEPTED) {
        return; // a notification has no answer
      }
      if (type.startsWith("text/event-stream")) {
        stream(body);
      } else if (type.startsWith("application/json")) {
        print(new String(body.readAllBytes(), StandardCharsets.UTF_8));
      } else {
        String reason = new String(body.readAllBytes(), StandardCharsets.UTF_8);
        message.failure(reason).ifPresent(this::print);
      }
    }
  }

  private HttpRequest request(McpMessage message) {
    URI here = Objects.requireNonNull(address);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(here.toString().replaceFirst("/+$", "") + PATH))
            .header("Content-Type", "application/json")
            .header("Accept", "application/json, text/event-stream")
            .POST(BodyPublishers.ofByteArray(message.line()));
    headers.forEach(request::header);
    return message.describe(request).build();
  }

  private void stream(InputStream body) throws IOException {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8))) {
      List<String> data = new ArrayList<>();
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith(DATA)) {
          data.add(line.substring(DATA.length()));
        } else if (line.isEmpty() && !data.isEmpty()) {
          print(String.join("\n", data));
          data.clear();
        }
      }
    }
  }

  /** One whole line at a time, whoever has it. */
  private void print(String message) {
    if (Thread.currentThread().isInterrupted()) {
      return;
    }
    synchronized (terminal) {
      terminal.line(McpMessage.line(message));
      terminal.out().flush();
    }
  }

  /** Streams end now; everything else gets its answer. */
  private void finish() throws InterruptedException {
    running.forEach(
        (thread, message) -> {
          if (message.isStream()) {
            thread.interrupt();
          }
        });
    boolean _ = places.tryAcquire(RUNNING_BOUND, bounds.stop().toMillis(), TimeUnit.MILLISECONDS);
  }

  /** The next line without its end; nothing at the end of the input. */
  private Optional<byte[]> line(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    int next = in.read();
    if (next < 0) {
      return Optional.empty();
    }
    long length = 0;
    for (; next >= 0 && next != '\n'; next = in.read()) {
      if (next != '\r' && ++length <= bounds.line()) {
        line.write(next);
      }
    }
    if (length > bounds.line()) {
      print(McpMessage.tooLong(bounds.line()));
      return Optional.of(new byte[0]);
    }
    return Optional.of(line.toByteArray());
  }
}
