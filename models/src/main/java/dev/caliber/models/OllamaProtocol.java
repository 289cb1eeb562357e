package dev.caliber.models;

import dev.caliber.kernel.Json;
import dev.caliber.models.ModelsConfig.HttpModelSettings;
import dev.caliber.store.spi.Embedder.EmbeddingPurpose;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Protocol of Ollama: {@code POST /api/embed}. */
final class OllamaProtocol implements EmbeddingProtocol {

  private static final String NEWEST = ":latest";

  private record OllamaResponse(Optional<String> model, List<float[]> embeddings) {}

  @Override
  public String name() {
    return "ollama";
  }

  @Override
  public URI requestUri(HttpModelSettings config) {
    return EmbeddingProtocol.appendPath(config.endpoint(), "/api/embed");
  }

  @Override
  public Object buildRequest(String model, EmbeddingPurpose embeddingPurpose, List<String> texts) {
    return Map.of("model", model, "input", texts, "truncate", false);
  }

  @Override
  public EmbeddingResponse readResponse(byte[] json) {
    OllamaResponse ollamaResponse = Json.read(json, OllamaResponse.class);
    return new EmbeddingResponse(ollamaResponse.model(), ollamaResponse.embeddings());
  }

  /** Returns the name without the tag {@code latest}, which equals no tag. */
  @Override
  public String comparableModelName(String model) {
    return model.endsWith(NEWEST) ? model.substring(0, model.length() - NEWEST.length()) : model;
  }
}
