package dev.caliber.models;

import dev.caliber.kernel.Json;
import dev.caliber.kernel.KernelException;
import dev.caliber.models.EmbeddingProtocol.EmbeddingResponse;
import dev.caliber.models.ModelsConfig.HttpModelSettings;
import dev.caliber.store.spi.Embedder.EmbeddingPurpose;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Single request for vectors, with the parsing of its response. */
final class HttpVectorRequest {

  private final HttpModelSettings config;
  private final EmbeddingProtocol protocol;
  private final Optional<ProviderApiKey> key;
  private final HttpPost post;
  private final HttpResponseChecker answers;

  HttpVectorRequest(
      HttpModelSettings config,
      EmbeddingProtocol protocol,
      Optional<ProviderApiKey> key,
      HttpPost post,
      InstantSource clock) {
    this.config = config;
    this.protocol = protocol;
    this.key = key;
    this.post = post;
    this.answers = new HttpResponseChecker(protocol.name(), key, clock);
  }

  /** Returns the vectors of the texts, prefixes included, in order; their lengths are unchecked. */
  List<float[]> send(EmbeddingPurpose embeddingPurpose, List<String> texts) {
    byte[] json = Json.bytes(protocol.buildRequest(config.model(), embeddingPurpose, texts));
    var response =
        post.send(
            protocol.requestUri(config),
            headers(),
            json,
            config.limits().timeoutFor(embeddingPurpose));
    EmbeddingResponse embeddingResponse = readResponse(answers.requireSuccess(response));
    embeddingResponse.model().ifPresent(this::checkModel);
    checkCount(texts.size(), embeddingResponse.vectors().size());
    return embeddingResponse.vectors();
  }

  private Map<String, String> headers() {
    return key.map(secret -> Map.of(protocol.keyHeader(), secret.headerValue(protocol.keyPrefix())))
        .orElse(Map.of());
  }

  private EmbeddingResponse readResponse(byte[] json) {
    try {
      return protocol.readResponse(json);
    } catch (KernelException e) {
      throw ModelsException.invalidResponse(protocol.name(), e.message());
    } catch (NullPointerException _) { // JSON may contain null in place of any value
      throw ModelsException.invalidResponse(
          protocol.name(), "the answer contains null where a value is expected");
    }
  }

  private void checkModel(String found) {
    boolean same =
        protocol.comparableModelName(found).equals(protocol.comparableModelName(config.model()));
    if (!same && !config.modelAliases().contains(found)) {
      throw ModelsException.modelMismatch(config.model(), answers.displayText(found));
    }
  }

  private void checkCount(int wanted, int found) {
    if (wanted != found) {
      throw ModelsException.invalidResponse(
          protocol.name(), "expected %d vectors, found %d".formatted(wanted, found));
    }
  }
}
