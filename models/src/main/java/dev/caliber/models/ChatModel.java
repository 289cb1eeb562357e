package dev.caliber.models;

import dev.caliber.kernel.Json;
import dev.caliber.kernel.KernelException;
import dev.caliber.memory.spi.Passage;
import dev.caliber.models.ModelsConfig.ChatSettings;
import dev.caliber.models.ModelsConfig.HttpModelLimits;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Chat model that gets numbered passages and a task, and answers with JSON. The caller verifies the
 * shape of the answer: servers do not all enforce it.
 */
final class ChatModel implements AutoCloseable {
  private final ChatSettings config;
  private final ChatProtocol protocol;
  private final HttpModelLimits limits;
  private final Optional<ProviderApiKey> key;
  private final HttpPost post;
  private final HttpResponseChecker answers;
  private final RetryPolicy retryPolicy;
  private final Semaphore parallel;
  private final CountDownLatch closed = new CountDownLatch(1);

  ChatModel(
      ModelsConfig config,
      ChatProtocol protocol,
      Map<String, String> environment,
      InstantSource clock,
      RetrySleeper retrySleeper) {
    this.config = config.chat();
    this.protocol = protocol;
    this.limits = config.http().limits();
    this.key =
        this.config.keyVariable().map(variable -> ProviderApiKey.from(variable, environment));
    EgressGuard guard = EgressGuard.of(config.egress());
    guard.check(this.config.endpoint());
    this.post = new HttpPost(protocol.text(), guard, limits);
    this.answers = new HttpResponseChecker(protocol.text(), key, clock);
    this.retryPolicy = new RetryPolicy(config.retry(), retrySleeper, closed);
    this.parallel = new Semaphore(limits.concurrency());
  }

  /** Returns the name of the method as stored with its results. */
  String methodName() {
    return "model %s:%s".formatted(protocol.text(), config.model());
  }

  /** Returns the request for a task; refuses one that is too long. */
  byte[] buildRequest(String task, List<Passage> passages, Map<String, Object> schema) {
    Map<String, Object> request = new HashMap<>(protocol.responseFormat(schema));
    request.put("model", config.model());
    request.put("stream", false);
    request.put(
        "messages",
        List.of(
            Map.of("role", "system", "content", task),
            Map.of("role", "user", "content", numberedText(passages))));
    byte[] bytes = Json.bytes(request);
    if (bytes.length > limits.textLimit().bytes()) {
      throw ModelsException.textTooLong(limits.textLimit(), bytes.length);
    }
    return bytes;
  }

  private static String numberedText(List<Passage> passages) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < passages.size(); i++) {
      Passage passage = passages.get(i);
      text.append("[%d] %s: %s\n".formatted(i + 1, passage.speaker(), passage.text()));
    }
    return text.toString();
  }

  /** Sends a request and returns its answer, parsed as JSON. */
  <T> T answer(byte[] request, Class<T> type) {
    return answer(request, type, () -> {});
  }

  /**
   * Sends a request and returns its answer; {@code before} runs before each attempt, and may refuse
   * it.
   */
  <T> T answer(byte[] request, Class<T> type, Runnable before) {
    String content =
        retryPolicy.callWithRetries(
            () -> {
              before.run();
              return send(request);
            });
    try {
      return Json.read(content.getBytes(StandardCharsets.UTF_8), type);
    } catch (KernelException e) {
      throw ModelsException.invalidResponse(protocol.text(), e.message());
    }
  }

  /** Returns the passage with this number. */
  Passage passage(List<Passage> passages, int number) {
    if (number < 1 || number > passages.size()) {
      throw unexpectedAnswer("a passage from 1 to %d".formatted(passages.size()), number);
    }
    return passages.get(number - 1);
  }

  ModelsException unexpectedAnswer(String wanted, Object found) {
    return ModelsException.invalidResponse(
        protocol.text(), "expected %s, found %s".formatted(wanted, found));
  }

  private String send(byte[] request) {
    acquirePermit();
    try {
      String path = config.endpoint().getPath();
      URI address = config.endpoint().resolve(path.replaceFirst("/$", "") + protocol.path());
      return content(
          answers.requireSuccess(post.send(address, headers(), request, limits.responseTimeout())));
    } finally {
      parallel.release();
    }
  }

  private String content(byte[] json) {
    try {
      return protocol.content(json);
    } catch (KernelException e) {
      throw ModelsException.invalidResponse(protocol.text(), e.message());
    }
  }

  private Map<String, String> headers() {
    return key.map(secret -> Map.of("Authorization", secret.headerValue("Bearer ")))
        .orElse(Map.of());
  }

  private void acquirePermit() {
    try {
      if (!parallel.tryAcquire(limits.responseTimeout().toNanos(), TimeUnit.NANOSECONDS)) {
        throw ModelsException.busy("models.http.limits.concurrency", limits.responseTimeout());
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw ModelsException.interrupted();
    }
  }

  @Override
  public void close() {
    closed.countDown();
    post.close();
  }
}
