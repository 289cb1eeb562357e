package dev.caliber.app.serve;

import dev.caliber.app.shell.Terminal;
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
 * Forwards messages of the Model Context Protocol between standard streams and a server, one per
 * line. Its only state is the server's address: if that server ends, the bridge finds the next one.
 */
final class McpBridge {
  private static final int RUNNING_BOUND = 256;
  private static final String DATA = "data:";
  private static final String PATH =
      "/mcp"; // relative, because a proxy may put the server under a path

  private final ServerLocator serverLocator;
  private final HttpClient client;
  private final Map<String, String> headers;
  private final Terminal terminal;
  private final McpBridgeLimits mcpBridgeLimits;
  private final Map<Thread, McpMessage> running = new ConcurrentHashMap<>();
  private final Semaphore places = new Semaphore(RUNNING_BOUND);
  private volatile @Nullable URI address;

  McpBridge(
      ServerLocator serverLocator,
      HttpClient client,
      Map<String, String> headers,
      Terminal terminal,
      McpBridgeLimits mcpBridgeLimits) {
    this.serverLocator = serverLocator;
    this.client = client;
    this.headers = Map.copyOf(headers);
    this.terminal = terminal;
    this.mcpBridgeLimits = mcpBridgeLimits;
  }

  /** Returns the server's address, and waits until there is one. */
  interface ServerLocator {
    URI locate() throws InterruptedException;
  }

  /** Limits of the bridge: the length of a line, and the wait for open answers at the end. */
  record McpBridgeLimits(long lineBytes, Duration shutdownTimeout) {}

  /** Forwards messages until the client closes its input and has got every answer. */
  void run() throws IOException, InterruptedException {
    address = serverLocator.locate();
    try (InputStream in = new BufferedInputStream(terminal.in())) {
      for (Optional<byte[]> line = readLine(in); line.isPresent(); line = readLine(in)) {
        if (line.get().length > 0) {
          acceptMessage(McpMessage.of(line.get()));
        }
      }
    } finally {
      awaitRunning();
    }
  }

  private void acceptMessage(McpMessage message) {
    if (message.cancelledRequest().isPresent()) {
      running.forEach((thread, other) -> cancelIfNamed(thread, other, message));
      return;
    }
    if (!places
        .tryAcquire()) { // read on while full: a cancellation, which frees a permit, comes the same
      // way
      message.errorAnswer("Too many concurrent messages").ifPresent(this::print);
      return;
    }
    Thread thread = Thread.ofVirtual().name("mcp-message").unstarted(() -> forward(message));
    running.put(thread, message);
    thread.start();
  }

  private static void cancelIfNamed(Thread thread, McpMessage running, McpMessage cancelling) {
    if (running.id().equals(cancelling.cancelledRequest())) {
      thread.interrupt();
    }
  }

  private void forward(McpMessage message) {
    try {
      sendAndPrint(message);
    } catch (CaliberException e) {
      message.errorAnswer(e.toLine()).ifPresent(this::print);
    } catch (IOException e) {
      message.errorAnswer("The server cannot be reached: " + e.getMessage()).ifPresent(this::print);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt(); // the client has cancelled the request
    } finally {
      running.remove(Thread.currentThread());
      places.release();
    }
  }

  private void sendAndPrint(McpMessage message) throws IOException, InterruptedException {
    HttpResponse<InputStream> response;
    try {
      response = client.send(httpRequest(message), BodyHandlers.ofInputStream());
    } catch (ConnectException _) {
      address = serverLocator.locate(); // the server has ended; the message did not reach it
      response = client.send(httpRequest(message), BodyHandlers.ofInputStream());
    }
    try (InputStream body = response.body()) {
      String type = response.headers().firstValue("Content-Type").orElse("");
      if (response.statusCode() == HttpURLConnection.HTTP_ACCEPTED) {
        return; // a notification has no answer
      }
      if (type.startsWith("text/event-stream")) {
        printEvents(body);
      } else if (type.startsWith("application/json")) {
        print(new String(body.readAllBytes(), StandardCharsets.UTF_8));
      } else {
        String reason = new String(body.readAllBytes(), StandardCharsets.UTF_8);
        message.errorAnswer(reason).ifPresent(this::print);
      }
    }
  }

  private HttpRequest httpRequest(McpMessage message) {
    URI here = Objects.requireNonNull(address);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(here.toString().replaceFirst("/+$", "") + PATH))
            .header("Content-Type", "application/json")
            .header("Accept", "application/json, text/event-stream")
            .POST(BodyPublishers.ofByteArray(message.line()));
    headers.forEach(request::header);
    return message.addHeaders(request).build();
  }

  private void printEvents(InputStream body) throws IOException {
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

  /** Prints one whole line at a time, from any thread. */
  private void print(String message) {
    if (Thread.currentThread().isInterrupted()) {
      return;
    }
    synchronized (terminal) {
      terminal.printLine(McpMessage.toSingleLine(message));
      terminal.out().flush();
    }
  }

  /** Ends streams now; waits for the answers of all other requests. */
  private void awaitRunning() throws InterruptedException {
    running.forEach(
        (thread, message) -> {
          if (message.isStream()) {
            thread.interrupt();
          }
        });
    boolean _ =
        places.tryAcquire(
            RUNNING_BOUND, mcpBridgeLimits.shutdownTimeout().toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Reads the next line without its end; empty at the end of the input. */
  private Optional<byte[]> readLine(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    int next = in.read();
    if (next < 0) {
      return Optional.empty();
    }
    long length = 0;
    for (; next >= 0 && next != '\n'; next = in.read()) {
      if (next != '\r' && ++length <= mcpBridgeLimits.lineBytes()) {
        line.write(next);
      }
    }
    if (length > mcpBridgeLimits.lineBytes()) {
      print(McpMessage.tooLongError(mcpBridgeLimits.lineBytes()));
      return Optional.of(new byte[0]);
    }
    return Optional.of(line.toByteArray());
  }
}
