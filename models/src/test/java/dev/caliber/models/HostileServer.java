package dev.caliber.models;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;

/** HTTP server on this machine that executes the steps of a test, one per request. */
final class HostileServer implements AutoCloseable {

  /** Reaction to one request. */
  interface Step {
    void answer(HttpExchange exchange, String body) throws IOException;
  }

  /** Request that was received. */
  record Seen(String path, Map<String, List<String>> headers, String body) {}

  private final HttpServer server;
  private final java.util.concurrent.ExecutorService threads;
  private final Queue<Step> steps = new ConcurrentLinkedQueue<>();
  private final List<Seen> seen = new CopyOnWriteArrayList<>();
  private volatile Step otherwise = reply(500, "{}");

  HostileServer() throws IOException {
    ThreadFactory factory = Thread.ofPlatform().daemon().name("hostile-", 0).factory();
    threads = Executors.newCachedThreadPool(factory);
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  URI address(String path) {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
  }

  HostileServer then(Step step) {
    steps.add(step);
    return this;
  }

  HostileServer always(Step step) {
    otherwise = step;
    return this;
  }

  List<Seen> seen() {
    return seen;
  }

  static Step reply(int status, String body, String... headers) {
    return (exchange, _) -> {
      var pairs = new ArrayDeque<>(List.of(headers));
      while (!pairs.isEmpty()) {
        exchange.getResponseHeaders().add(pairs.pop(), pairs.pop());
      }
      byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
      exchange.getResponseBody().write(bytes);
      exchange.close();
    };
  }

  /** Returns a step that announces more than it sends, then closes the connection. */
  static Step half(String body) {
    return (exchange, _) -> {
      byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(200, bytes.length);
      exchange.getResponseBody().write(bytes, 0, bytes.length / 2);
      exchange.getResponseBody().flush();
      throw new IOException("the cable was pulled");
    };
  }

  private void handle(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    seen.add(
        new Seen(
            exchange.getRequestURI().getPath(), Map.copyOf(exchange.getRequestHeaders()), body));
    Step step = steps.poll();
    (step == null ? otherwise : step).answer(exchange, body);
  }

  List<String> paths() {
    var paths = new ArrayList<String>();
    seen.forEach(request -> paths.add(request.path()));
    return paths;
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
