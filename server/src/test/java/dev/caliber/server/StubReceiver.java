package dev.caliber.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.caliber.kernel.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.NullMarked;
import tools.jackson.databind.JsonNode;

/** A receiver of webhooks on loopback with scripted statuses. */
@NullMarked
final class StubReceiver implements AutoCloseable {
  private final HttpServer server;
  private final Queue<Integer> statuses = new ConcurrentLinkedQueue<>();
  private final BlockingQueue<Taken> taken = new LinkedBlockingQueue<>();
  private volatile int otherwise = 204;

  /** A received message. */
  record Taken(String id, String time, String signature, String text) {
    JsonNode body() {
      return Json.mapper().readTree(text);
    }

    /** Verifies the signature by the specification, not by our code. */
    boolean isSignedWith(String secret) throws GeneralSecurityException {
      Mac mac = Mac.getInstance("HmacSHA256");
      byte[] key = Base64.getDecoder().decode(secret.substring("whsec_".length()));
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      byte[] sum = mac.doFinal((id + "." + time + "." + text).getBytes(StandardCharsets.UTF_8));
      return signature.equals("v1," + Base64.getEncoder().encodeToString(sum));
    }
  }

  StubReceiver() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    server.createContext("/", this::take);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:%d/hook?token=t0k3n".formatted(server.getAddress().getPort());
  }

  StubReceiver answering(int... next) {
    for (int status : next) {
      statuses.add(status);
    }
    return this;
  }

  void always(int status) {
    otherwise = status;
  }

  /** Returns the next message, which must arrive. */
  Taken next() throws InterruptedException {
    Taken message = taken.poll(60, TimeUnit.SECONDS);
    if (message == null) {
      throw new AssertionError("no message came");
    }
    return message;
  }

  int waiting() {
    return taken.size();
  }

  private void take(HttpExchange exchange) throws IOException {
    String text = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    Integer status = statuses.poll();
    exchange.getResponseHeaders().add("Location", "/elsewhere");
    exchange.sendResponseHeaders(status == null ? otherwise : status, -1);
    exchange.close();
    taken.add(
        new Taken(
            exchange.getRequestHeaders().getFirst("webhook-id"),
            exchange.getRequestHeaders().getFirst("webhook-timestamp"),
            exchange.getRequestHeaders().getFirst("webhook-signature"),
            text));
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
