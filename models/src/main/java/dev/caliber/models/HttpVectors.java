package dev.caliber.models;

import dev.caliber.kernel.Json;
import dev.caliber.kernel.KernelException;
import dev.caliber.models.EmbeddingProtocol.Answer;
import dev.caliber.models.ModelsConfig.Http;
import dev.caliber.store.spi.Embedder.Purpose;
import java.net.http.HttpResponse;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** One request for vectors, and what its answer means. */
final class HttpVectors {

  private static final int SUCCESS = 200;
  private static final int REDIRECT = 300;
  private static final int RATE_LIMITED = 429;
  private static final int SERVER_FAULT = 500;
  private static final Set<Integer> ABOUT_THE_TEXTS = Set.of(400, 413, 422);
  private static final Set<Integer> ABOUT_THE_KEY = Set.of(401, 403);
  private static final Set<Integer> PASSING = Set.of(408, 425);

  private final Http config;
  private final EmbeddingProtocol protocol;
  private final Optional<ApiKey> key;
  private final HttpPost post;
  private final InstantSource clock;

  HttpVectors(
      Http config,
      EmbeddingProtocol protocol,
      Optional<ApiKey> key,
      HttpPost post,
      InstantSource clock) {
    this.config = config;
    this.protocol = protocol;
    this.key = key;
    this.post = post;
    this.clock = clock;
  }

  /** The vectors of the texts, prefixes included, in order; their lengths are unchecked. */
  List<float[]> ask(Purpose purpose, List<String> texts) {
    byte[] json = Json.bytes(protocol.request(config.model(), purpose, texts));
    var response =
        post.send(protocol.address(config), headers(), json, config.limits().patience(purpose));
    if (!success(response.statusCode())) {
      throw refusal(response);
    }
    Answer answer = read(response.body());
    answer.model().ifPresent(this::checkModel);
    checkCount(texts.size(), answer.vectors().size());
    return answer.vectors();
  }

  private Map<String, String> headers() {
    return key.map(secret -> Map.of(protocol.keyHeader(), secret.header(protocol.beforeKey())))
        .orElse(Map.of());
  }

  private static boolean success(int status) {
    return status >= SUCCESS && status < REDIRECT;
  }

  private ModelsException refusal(HttpResponse<byte[]> response) {
    int status = response.statusCode();
    var pause = RetryAfter.of(response.headers(), clock);
    if (status == RATE_LIMITED) {
      return ModelsException.rateLimited(protocol.name(), pause);
    }
    if (status == SERVER_FAULT) {
      return ModelsException.serverFault(protocol.name(), status, pause);
    }
    if (status > SERVER_FAULT || PASSING.contains(status)) {
      return ModelsException.requestFailed(protocol.name(), status, pause);
    }
    if (ABOUT_THE_KEY.contains(status)) {
      return ModelsException.requestRefused(
          protocol.name(), status, ": check the key and its rights");
    }
    return ABOUT_THE_TEXTS.contains(status)
        ? ModelsException.inputRefused(protocol.name(), status, said(response.body()))
        : ModelsException.requestRefused(protocol.name(), status, said(response.body()));
  }

  private String said(byte[] body) {
    return ProviderWords.of(body).map(words -> ": " + shown(words)).orElse("");
  }

  /** The key is cut out first: half of one, at the end of what is shown, would not be known. */
  private String shown(String words) {
    return ProviderWords.shown(key.map(secret -> secret.cutFrom(words)).orElse(words));
  }

  private Answer read(byte[] json) {
    try {
      return protocol.read(json);
    } catch (KernelException e) {
      throw ModelsException.invalidResponse(protocol.name(), e.message());
    } catch (NullPointerException _) { // JSON may have null wherever a value is wanted
      throw ModelsException.invalidResponse(protocol.name(), "wanted a value, found null");
    }
  }

  private void checkModel(String found) {
    boolean same = protocol.plain(found).equals(protocol.plain(config.model()));
    if (!same && !config.answersAs().contains(found)) {
      throw ModelsException.modelMismatch(config.model(), shown(found));
    }
  }

  private void checkCount(int wanted, int found) {
    if (wanted != found) {
      throw ModelsException.invalidResponse(
          protocol.name(), "wanted %d vectors, found %d".formatted(wanted, found));
    }
  }
}
