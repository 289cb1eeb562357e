package dev.caliber.models;

import dev.caliber.kernel.Json;
import dev.caliber.kernel.KernelException;
import dev.caliber.memory.spi.Passage;
import dev.caliber.models.ModelsConfig.Chat;
import dev.caliber.models.ModelsConfig.HttpLimits;
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
 * A chat model that is given numbered passages and a task, and answers with JSON. What it answers
 * is held to the shape it was asked for by whoever asked: servers do not all enforce it.
 */
final class ChatModel implements AutoCloseable {
  private final Chat config;
  private final ChatProtocol protocol;
  private final HttpLimits limits;
  private final Optional<ApiKey> key;
  private final HttpPost post;
  private final HttpAnswers answers;
  private final Attempts attempts;
  private final Semaphore parallel;
  private final CountDownLatch closed = new CountDownLatch(1);

  ChatModel(
      ModelsConfig config,
      ChatProtocol protocol,
      Map<String, String> environment,
      InstantSource clock,
      Pauses pauses) {
    this.config = config.chat();
    this.protocol = protocol;
    this.limits = config.http().limits();
    this.key = this.config.keyVariable().map(variable -> ApiKey.from(variable, environment));
    EgressGuard guard = EgressGuard.of(config.egress());
    guard.check(this.config.endpoint());
    this.post = new HttpPost(protocol.text(), guard, limits);
    this.answers = new HttpAnswers(protocol.text(), key, clock);
    this.attempts = new Attempts(config.retry(), pauses, closed);
    this.parallel = new Semaphore(limits.parallel());
  }

  /** As what it made says it. */
  String method() {
    return "model %s:%s".formatted(protocol.text(), config.model());
  }

  /** The request for a task; refused if it is too long. */
  byte[] request(String task, List<Passage> passages, Map<String, Object> schema) {
    Map<String, Object> request = new HashMap<>(protocol.shape(schema));
    request.put("model", config.model());
    request.put("stream", false);
    request.put(
        "messages",
        List.of(
            Map.of("role", "system", "content", task),
            Map.of("role", "user", "content", numbered(passages))));
    byte[] bytes = Json.bytes(request);
    if (bytes.length > limits.textLimit().bytes()) {
      throw ModelsException.textTooLong(limits.textLimit(), bytes.length);
    }
    return bytes;
  }

  private static String numbered(List<Passage> passages) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < passages.size(); i++) {
      Passage passage = passages.get(i);
      text.append("[%d] %s: %s\n".formatted(i + 1, passage.speaker(), passage.text()));
    }
    return text.toString();
  }

  /** The answer to a request, read as JSON. */
  <T> T ask(byte[] request, Class<T> type) {
    return ask(request, type, () -> {});
  }

  /** The same; {@code before} each time that the request is sent, and may refuse it. */
  <T> T ask(byte[] request, Class<T> type, Runnable before) {
    String content =
        attempts.run(
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

  /** The passage of a number. */
  Passage passage(List<Passage> passages, int number) {
    if (number < 1 || number > passages.size()) {
      throw wrong("a passage from 1 to %d".formatted(passages.size()), number);
    }
    return passages.get(number - 1);
  }

  ModelsException wrong(String wanted, Object found) {
    return ModelsException.invalidResponse(
        protocol.text(), "wanted %s, found %s".formatted(wanted, found));
  }

  private String send(byte[] request) {
    enter();
    try {
      String path = config.endpoint().getPath();
      URI address = config.endpoint().resolve(path.replaceFirst("/$", "") + protocol.path());
      return content(
          answers.successful(post.send(address, headers(), request, limits.answerTimeout())));
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
    return key.map(secret -> Map.of("Authorization", secret.header("Bearer "))).orElse(Map.of());
  }

  private void enter() {
    try {
      if (!parallel.tryAcquire(limits.answerTimeout().toNanos(), TimeUnit.NANOSECONDS)) {
        throw ModelsException.busy("models.http.limits.parallel", limits.answerTimeout());
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
