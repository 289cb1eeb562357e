package dev.caliber.models;

import dev.caliber.kernel.Json;
import dev.caliber.kernel.KernelException;
import dev.caliber.models.EmbeddingProtocol.Answer;
import dev.caliber.models.ModelsConfig.Http;
import dev.caliber.store.spi.Embedder.Purpose;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One request for vectors, and what its answer means. */
final class HttpVectors {

  private final Http config;
  private final EmbeddingProtocol protocol;
  private final Optional<ApiKey> key;
  private final HttpPost post;
  private final HttpAnswers answers;

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
    this.answers = new HttpAnswers(protocol.name(), key, clock);
  }

  /** The vectors of the texts, prefixes included, in order; their lengths are unchecked. */
  List<float[]> ask(Purpose purpose, List<String> texts) {
    byte[] json = Json.bytes(protocol.request(config.model(), purpose, texts));
    var response =
        post.send(protocol.address(config), headers(), json, config.limits().patience(purpose));
    Answer answer = read(answers.successful(response));
    answer.model().ifPresent(this::checkModel);
    checkCount(texts.size(), answer.vectors().size());
    return answer.vectors();
  }

  private Map<String, String> headers() {
    return key.map(secret -> Map.of(protocol.keyHeader(), secret.header(protocol.beforeKey())))
        .orElse(Map.of());
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
      throw ModelsException.modelMismatch(config.model(), answers.shown(found));
    }
  }

  private void checkCount(int wanted, int found) {
    if (wanted != found) {
      throw ModelsException.invalidResponse(
          protocol.name(), "wanted %d vectors, found %d".formatted(wanted, found));
    }
  }
}
