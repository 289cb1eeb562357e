package dev.caliber.models;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.Hashing;
import dev.caliber.kernel.KernelException;
import dev.caliber.models.ModelsConfig.Http;
import dev.caliber.store.spi.Embedder;
import dev.caliber.store.spi.Embedding;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Asks a server for vectors, in batches; a text that fails does not take the others with it. */
final class HttpEmbedder implements Embedder {

  private static final int MARK = 8;
  private static final int PROBES = 2;

  private final Http config;
  private final String provider;
  private final HttpPost post;
  private final HttpVectors vectors;
  private final Attempts attempts;
  private final Semaphore parallel;

  /** Places of their own: a query never waits for passages. */
  private final Semaphore queries;

  private final CountDownLatch closed = new CountDownLatch(1);

  HttpEmbedder(
      ModelsConfig config,
      Map<String, String> environment,
      InstantSource clock,
      EmbeddingProtocol protocol,
      EgressGuard guard,
      Pauses pauses) {
    this.config = config.http();
    this.provider = protocol.name();
    var key = this.config.keyVariable().map(variable -> ApiKey.from(variable, environment));
    guard.check(this.config.endpoint());
    this.post = new HttpPost(provider, guard, this.config.limits());
    this.vectors = new HttpVectors(this.config, protocol, key, post, clock);
    this.attempts = new Attempts(config.retry(), pauses, closed);
    this.parallel = new Semaphore(this.config.limits().parallel());
    this.queries = new Semaphore(this.config.limits().parallel());
  }

  static Embedder open(
      ModelsConfig config,
      Map<String, String> environment,
      InstantSource clock,
      EmbeddingProtocol protocol) {
    var guard = EgressGuard.of(config.egress());
    return new HttpEmbedder(config, environment, clock, protocol, guard, Pauses.REAL);
  }

  @Override
  public String model() {
    String prefixes = config.queryPrefix() + config.passagePrefix();
    String mark = prefixes.isEmpty() ? "" : ":" + mark();
    return "%s:%s:%d%s".formatted(provider, config.model(), config.dimensions(), mark);
  }

  private String mark() {
    return Hashing.hash("prefixes", config.queryPrefix(), config.passagePrefix())
        .substring(0, MARK);
  }

  @Override
  public int dimensions() {
    return config.dimensions();
  }

  @Override
  public String prefix(Purpose purpose) {
    return switch (purpose) {
      case QUERY -> config.queryPrefix();
      case PASSAGE -> config.passagePrefix();
    };
  }

  @Override
  public List<Embedding> embed(Purpose purpose, List<String> texts) {
    if (closed.getCount() == 0) {
      throw ModelsException.closed();
    }
    @Nullable Embedding[] results = new Embedding[texts.size()];
    var sendable = new ArrayList<Integer>();
    for (int i = 0; i < results.length; i++) {
      results[i] = refusal(texts.get(i));
      if (results[i] == null) {
        sendable.add(i);
      }
    }
    fill(
        results,
        sendable,
        sendable.stream().map(i -> prefix(purpose) + texts.get(i)).toList(),
        purpose);
    return Arrays.stream(results).map(Objects::requireNonNull).toList();
  }

  /** Why a text is not even sent. */
  private @Nullable Embedding refusal(String text) {
    if (text.isBlank()) {
      return Failures.of(KernelException.requiredFieldMissing("text to embed"));
    }
    int length = text.getBytes(StandardCharsets.UTF_8).length;
    return length > config.limits().textLimit().bytes()
        ? Failures.of(ModelsException.textTooLong(config.limits().textLimit(), length))
        : null;
  }

  /* A server that is away for one batch is away for the rest: the others are not even tried. */
  private void fill(
      @Nullable Embedding[] results, List<Integer> places, List<String> texts, Purpose purpose) {
    int batch = config.limits().batchTexts();
    for (int from = 0; from < texts.size(); from += batch) {
      int to = Math.min(texts.size(), from + batch);
      List<Embedding> found = batch(purpose, texts.subList(from, to));
      for (int i = from; i < to; i++) {
        results[places.get(i)] = found.get(i - from);
      }
      if (found.stream().allMatch(HttpEmbedder::isAway)) {
        Embedding away = found.getLast();
        places.subList(to, places.size()).forEach(place -> results[place] = away);
        return;
      }
    }
  }

  private static boolean isAway(Embedding embedding) {
    return embedding instanceof Embedding.Failure failure && failure.retryable();
  }

  /** A batch that is refused for its texts is halved, until the text is found that it was for. */
  private List<Embedding> batch(Purpose purpose, List<String> texts) {
    try {
      return patiently(purpose, texts);
    } catch (CaliberException e) {
      if (e instanceof ModelsException found && found.isFault() && texts.size() > 1) {
        return oneByOne(purpose, texts, found);
      }
      int half = texts.size() / 2;
      if (e.code() != ModelsErrorCode.INPUT_REFUSED || half == 0) {
        return Collections.nCopies(texts.size(), Failures.of(e));
      }
      var both = new ArrayList<>(batch(purpose, texts.subList(0, half)));
      both.addAll(batch(purpose, texts.subList(half, texts.size())));
      return both;
    }
  }

  /** Whoever asks a question waits for it: a query is tried once. */
  private List<Embedding> patiently(Purpose purpose, List<String> texts) {
    return switch (purpose) {
      case QUERY -> once(purpose, texts);
      case PASSAGE -> attempts.run(() -> once(purpose, texts));
    };
  }

  private List<Embedding> once(Purpose purpose, List<String> texts) {
    return ask(purpose, texts).stream().map(this::checked).toList();
  }

  /* Some servers fail inside over one text that is too long for them. Each is asked for alone and
  once; if that brings nothing for the first of them either, the server is away. */
  private List<Embedding> oneByOne(Purpose purpose, List<String> texts, ModelsException fault) {
    var results = new ArrayList<Embedding>();
    for (String text : texts) {
      results.add(alone(purpose, text));
      if (results.size() == PROBES && results.stream().allMatch(HttpEmbedder::isAway)) {
        return Collections.nCopies(texts.size(), Failures.of(fault));
      }
    }
    return results;
  }

  private Embedding alone(Purpose purpose, String text) {
    try {
      return once(purpose, List.of(text)).getFirst();
    } catch (ModelsException e) {
      return Failures.of(e);
    }
  }

  private List<float[]> ask(Purpose purpose, List<String> texts) {
    Semaphore places = purpose == Purpose.QUERY ? queries : parallel;
    enter(places, config.limits().patience(purpose));
    try {
      return vectors.ask(purpose, texts);
    } finally {
      places.release();
    }
  }

  private static void enter(Semaphore places, Duration patience) {
    try {
      if (!places.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS)) {
        throw ModelsException.busy("models.http.limits.parallel", patience);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw ModelsException.interrupted();
    }
  }

  private Embedding checked(float[] vector) {
    try {
      if (vector.length != config.dimensions()) {
        throw KernelException.dimensionMismatch(config.dimensions(), vector.length);
      }
      return Embedding.of(UnitVectors.of(vector));
    } catch (KernelException e) {
      return Failures.of(e);
    }
  }

  @Override
  public void close() {
    closed.countDown();
    post.close();
  }
}
