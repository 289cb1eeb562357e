package dev.caliber.models;

import dev.caliber.models.ModelsConfig.HttpModelSettings;
import dev.caliber.store.spi.Embedder.EmbeddingPurpose;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/** Protocol of one kind of embedding server. No implementation may shorten a text silently. */
sealed interface EmbeddingProtocol
    permits OpenAiProtocol, VoyageProtocol, OllamaProtocol, CohereProtocol, GeminiProtocol {

  /** Response of a server: the model's name if it states one, and the vectors in order. */
  record EmbeddingResponse(Optional<String> model, List<float[]> vectors) {
    public EmbeddingResponse {
      vectors = List.copyOf(vectors);
    }
  }

  /** Returns the name in the file, which also begins the model's name. */
  String name();

  URI requestUri(HttpModelSettings config);

  /** Returns the request as JSON. */
  Object buildRequest(String model, EmbeddingPurpose embeddingPurpose, List<String> texts);

  /** Parses a response; one that breaks the protocol is an error. */
  EmbeddingResponse readResponse(byte[] json);

  /** Returns a model's name without parts that make no difference. */
  default String comparableModelName(String model) {
    return model;
  }

  default String keyHeader() {
    return "Authorization";
  }

  default String keyPrefix() {
    return "Bearer ";
  }

  /** Returns the endpoint with a path added. */
  static URI appendPath(URI endpoint, String path) {
    String base = endpoint.toString();
    return URI.create(
        base.endsWith("/") ? base.substring(0, base.length() - 1) + path : base + path);
  }
}
