package dev.caliber.app;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.NullMarked;

/** A receiver of webhooks that answers none of them until it is released. */
@NullMarked
final class HeldDelivery implements AutoCloseable {
  static final String HOST = "127.0.0.1";

  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("receiver-", 0).factory());
  private final BlockingQueue<String> arrived = new LinkedBlockingQueue<>();
  private final CountDownLatch answering = new CountDownLatch(1);
  private final HttpServer server;

  HeldDelivery() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::take);
    server.start();
  }

  String url() {
    return "http://%s:%d/".formatted(HOST, server.getAddress().getPort());
  }

  private void take(HttpExchange exchange) throws IOException {
    exchange.getRequestBody().readAllBytes();
    arrived.add(exchange.getRequestHeaders().getFirst("webhook-id"));
    try {
      answering.await();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    exchange.sendResponseHeaders(204, -1);
    exchange.close();
  }

  /** Returns the name of the next message. */
  String next() throws InterruptedException {
    return arrived.take();
  }

  void answer() {
    answering.countDown();
  }

  @Override
  public void close() {
    answer();
    server.stop(0);
    threads.close();
  }
}
