package dev.caliber.models;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.FieldHash;
import dev.caliber.kernel.KernelException;
import dev.caliber.models.ModelsConfig.HttpModelSettings;
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

/**
 * Embedder that asks a server for vectors, in batches; a text that fails does not fail the others.
 */
final class HttpEmbedder implements Embedder {

  private static final int MARK = 8;
  private static final int PROBES = 2;

  private final HttpModelSettings config;
  private final String provider;
  private final HttpPost post;
  private final HttpVectorRequest vectors;
  private final RetryPolicy retryPolicy;
  private final Semaphore parallel;

  /** Permits of their own: a query never waits for passages. */
  private final Semaphore queries;

  private final CountDownLatch closed = new CountDownLatch(1);

  HttpEmbedder(
      ModelsConfig config,
      Map<String, String> environment,
      InstantSource clock,
      EmbeddingProtocol protocol,
      EgressGuard guard,
      RetrySleeper retrySleeper) {
    this.config = config.http();
    this.provider = protocol.name();
    var key = this.config.keyVariable().map(variable -> ProviderApiKey.from(variable, environment));
    guard.check(this.config.endpoint());
    this.post = new HttpPost(provider, guard, this.config.limits());
    this.vectors = new HttpVectorRequest(this.config, protocol, key, post, clock);
    this.retryPolicy = new RetryPolicy(config.retry(), retrySleeper, closed);
    this.parallel = new Semaphore(this.config.limits().concurrency());
    this.queries = new Semaphore(this.config.limits().concurrency());
  }

  static Embedder open(
      ModelsConfig config,
      Map<String, String> environment,
      InstantSource clock,
      EmbeddingProtocol protocol) {
    var guard = EgressGuard.of(config.egress());
    return new HttpEmbedder(config, environment, clock, protocol, guard, RetrySleeper.REAL);
  }

  @Override
  public String model() {
    String prefixes = config.queryPrefix() + config.passagePrefix();
    String mark = prefixes.isEmpty() ? "" : ":" + prefixFingerprint();
    return "%s:%s:%d%s".formatted(provider, config.model(), config.dimensions(), mark);
  }

  private String prefixFingerprint() {
    return FieldHash.hash("prefixes", config.queryPrefix(), config.passagePrefix())
        .substring(0, MARK);
  }

  @Override
  public int dimensions() {
    return config.dimensions();
  }

  @Override
  public String prefix(EmbeddingPurpose embeddingPurpose) {
    return switch (embeddingPurpose) {
      case QUERY -> config.queryPrefix();
      case PASSAGE -> config.passagePrefix();
    };
  }

  @Override
  public List<Embedding> embed(EmbeddingPurpose embeddingPurpose, List<String> texts) {
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
    embedInto(
        results,
        sendable,
        sendable.stream().map(i -> prefix(embeddingPurpose) + texts.get(i)).toList(),
        embeddingPurpose);
    return Arrays.stream(results).map(Objects::requireNonNull).toList();
  }

  /** Returns the refusal of a text that is not sent at all, or null. */
  private @Nullable Embedding refusal(String text) {
    if (text.isBlank()) {
      return EmbeddingFailures.toEmbedding(KernelException.requiredFieldMissing("text to embed"));
    }
    int length = text.getBytes(StandardCharsets.UTF_8).length;
    return length > config.limits().textLimit().bytes()
        ? EmbeddingFailures.toEmbedding(
            ModelsException.textTooLong(config.limits().textLimit(), length))
        : null;
  }

  /* A server that is unavailable for one batch is so for the rest: the others are not tried. */
  private void embedInto(
      @Nullable Embedding[] results,
      List<Integer> places,
      List<String> texts,
      EmbeddingPurpose embeddingPurpose) {
    int batch = config.limits().batchTexts();
    for (int from = 0; from < texts.size(); from += batch) {
      int to = Math.min(texts.size(), from + batch);
      List<Embedding> found = embedBatch(embeddingPurpose, texts.subList(from, to));
      for (int i = from; i < to; i++) {
        results[places.get(i)] = found.get(i - from);
      }
      if (found.stream().allMatch(HttpEmbedder::isUnavailable)) {
        Embedding away = found.getLast();
        places.subList(to, places.size()).forEach(place -> results[place] = away);
        return;
      }
    }
  }

  private static boolean isUnavailable(Embedding embedding) {
    return embedding instanceof Embedding.Failure failure && failure.isRetryable();
  }

  /**
   * Embeds a batch. One that is refused for its texts is halved until the refused text is found.
   */
  private List<Embedding> embedBatch(EmbeddingPurpose embeddingPurpose, List<String> texts) {
    try {
      return embedWithRetries(embeddingPurpose, texts);
    } catch (CaliberException e) {
      if (e instanceof ModelsException found && found.isServerFault() && texts.size() > 1) {
        return embedEachAlone(embeddingPurpose, texts, found);
      }
      int half = texts.size() / 2;
      if (e.code() != ModelsErrorCode.INPUT_REJECTED || half == 0) {
        return Collections.nCopies(texts.size(), EmbeddingFailures.toEmbedding(e));
      }
      var both = new ArrayList<>(embedBatch(embeddingPurpose, texts.subList(0, half)));
      both.addAll(embedBatch(embeddingPurpose, texts.subList(half, texts.size())));
      return both;
    }
  }

  /** Embeds with retries for passages; a query is tried once, because a caller waits for it. */
  private List<Embedding> embedWithRetries(EmbeddingPurpose embeddingPurpose, List<String> texts) {
    return switch (embeddingPurpose) {
      case QUERY -> embedOnce(embeddingPurpose, texts);
      case PASSAGE -> retryPolicy.callWithRetries(() -> embedOnce(embeddingPurpose, texts));
    };
  }

  private List<Embedding> embedOnce(EmbeddingPurpose embeddingPurpose, List<String> texts) {
    return requestVectors(embeddingPurpose, texts).stream().map(this::toEmbedding).toList();
  }

  /*
   * Some servers fail internally over one text that is too long for them. Each text is sent alone
   * and once; if even the first of them gets no vector, the server is unavailable.
   */
  private List<Embedding> embedEachAlone(
      EmbeddingPurpose embeddingPurpose, List<String> texts, ModelsException fault) {
    var results = new ArrayList<Embedding>();
    for (String text : texts) {
      results.add(embedAlone(embeddingPurpose, text));
      if (results.size() == PROBES && results.stream().allMatch(HttpEmbedder::isUnavailable)) {
        return Collections.nCopies(texts.size(), EmbeddingFailures.toEmbedding(fault));
      }
    }
    return results;
  }

  private Embedding embedAlone(EmbeddingPurpose embeddingPurpose, String text) {
    try {
      return embedOnce(embeddingPurpose, List.of(text)).getFirst();
    } catch (ModelsException e) {
      return EmbeddingFailures.toEmbedding(e);
    }
  }

  private List<float[]> requestVectors(EmbeddingPurpose embeddingPurpose, List<String> texts) {
    Semaphore places = embeddingPurpose == EmbeddingPurpose.QUERY ? queries : parallel;
    acquirePermit(places, config.limits().timeoutFor(embeddingPurpose));
    try {
      return vectors.send(embeddingPurpose, texts);
    } finally {
      places.release();
    }
  }

  private static void acquirePermit(Semaphore places, Duration patience) {
    try {
      if (!places.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS)) {
        throw ModelsException.busy("models.http.limits.concurrency", patience);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw ModelsException.interrupted();
    }
  }

  private Embedding toEmbedding(float[] vector) {
    try {
      if (vector.length != config.dimensions()) {
        throw KernelException.dimensionMismatch(config.dimensions(), vector.length);
      }
      return Embedding.of(UnitVectors.normalized(vector));
    } catch (KernelException e) {
      return EmbeddingFailures.toEmbedding(e);
    }
  }

  @Override
  public void close() {
    closed.countDown();
    post.close();
  }
}
