package dev.caliber.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.caliber.kernel.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.NullMarked;
import tools.jackson.databind.JsonNode;

/** A model server on loopback with scripted answers that keeps its requests. */
@NullMarked
final class StubModel implements AutoCloseable {
  static final String KEY = "sk-upstream-secret";

  private final HttpServer server;
  private final ExecutorService threads =
      Executors.newCachedThreadPool(Thread.ofPlatform().daemon().name("stub-model-", 0).factory());
  private final Queue<Step> steps = new ConcurrentLinkedQueue<>();
  private final List<JsonNode> seen = new CopyOnWriteArrayList<>();
  private volatile Listed listed =
      new Listed(200, "{\"object\":\"list\",\"data\":[{\"id\":\"m\",\"object\":\"model\"}]}");

  /** The answer to a request for the list of models. */
  private record Listed(int status, String text) {}

  /** The reaction to one request. */
  interface Step {
    void answer(HttpExchange exchange, JsonNode request) throws IOException;
  }

  StubModel() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    server.setExecutor(threads);
    server.createContext("/v1/chat/completions", this::complete);
    server.createContext("/v1/models", exchange -> send(exchange, listed.status(), listed.text()));
    server.start();
  }

  URI endpoint() {
    return URI.create("http://127.0.0.1:%d/v1".formatted(server.getAddress().getPort()));
  }

  void listing(int status, String text) {
    listed = new Listed(status, text);
  }

  /** The requests, in order. */
  List<JsonNode> seen() {
    return seen;
  }

  StubModel then(Step step) {
    steps.add(step);
    return this;
  }

  /** Answers with these pieces, streamed if the request asks for it. */
  StubModel saying(String... pieces) {
    return then(
        (exchange, request) -> {
          if (request.path("stream").asBoolean(false)) {
            begin(exchange);
            for (String piece : pieces) {
              event(exchange, delta("{\"content\":%s}".formatted(Json.text(piece)), "null"));
            }
            event(exchange, delta("{}", "\"stop\""));
            event(exchange, "[DONE]");
            exchange.close();
          } else {
            send(
                exchange,
                200,
                whole(
                    "{\"role\":\"assistant\",\"content\":%s}"
                        .formatted(Json.text(String.join("", pieces)))));
          }
        });
  }

  /** Answers with a call of a tool. */
  StubModel calling(String id, String tool, String arguments) {
    return then(
        (exchange, request) ->
            send(
                exchange,
                200,
                whole(
                    """
                    {"role": "assistant", "content": null, "tool_calls": [{"id": "%s", "type": "function",
                     "function": {"name": "%s", "arguments": %s}}]}
                    """
                        .formatted(id, tool, Json.text(arguments)))));
  }

  static String whole(String message) {
    return """
    {"id": "c1", "object": "chat.completion", "created": 1, "model": "m",
     "choices": [{"index": 0, "message": %s, "finish_reason": "stop"}],
     "usage": {"prompt_tokens": 5, "completion_tokens": 7, "total_tokens": 12}}
    """
        .formatted(message);
  }

  static String delta(String delta, String reason) {
    return """
    {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "m", \
    "choices": [{"index": 0, "delta": %s, "finish_reason": %s}]}\
    """
        .formatted(delta, reason);
  }

  static void begin(HttpExchange exchange) throws IOException {
    exchange.getResponseHeaders().add("Content-Type", "text/event-stream");
    exchange.sendResponseHeaders(200, 0);
  }

  static void event(HttpExchange exchange, String data) throws IOException {
    OutputStream out = exchange.getResponseBody();
    out.write("data: %s\n\n".formatted(data).getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  static void send(HttpExchange exchange, int status, String json) throws IOException {
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  /** Answers only requests with the right key. */
  private void complete(HttpExchange exchange) throws IOException {
    JsonNode request = Json.mapper().readTree(exchange.getRequestBody().readAllBytes());
    seen.add(request);
    if (!("Bearer " + KEY).equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
      send(exchange, 401, "{\"error\": {\"message\": \"Who are you?\"}}");
      return;
    }
    Step step = steps.poll();
    if (step == null) {
      send(exchange, 500, "{\"error\": {\"message\": \"Nothing to say to " + KEY + "\"}}");
    } else {
      step.answer(exchange, request);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
