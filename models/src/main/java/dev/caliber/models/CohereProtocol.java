package dev.caliber.models;

import dev.caliber.kernel.Json;
import dev.caliber.models.ModelsConfig.HttpModelSettings;
import dev.caliber.store.spi.Embedder.EmbeddingPurpose;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Protocol of Cohere, version 2: {@code POST /embed}. */
final class CohereProtocol implements EmbeddingProtocol {

  private static final String FLOAT = "float";

  private record CohereResponse(Map<String, List<float[]>> embeddings) {}

  @Override
  public String name() {
    return "cohere";
  }

  @Override
  public URI requestUri(HttpModelSettings config) {
    return EmbeddingProtocol.appendPath(config.endpoint(), "/embed");
  }

  @Override
  public Object buildRequest(String model, EmbeddingPurpose embeddingPurpose, List<String> texts) {
    return Map.of(
        "model",
        model,
        "texts",
        texts,
        "input_type",
        inputType(embeddingPurpose),
        "embedding_types",
        List.of(FLOAT),
        "truncate",
        "NONE");
  }

  private static String inputType(EmbeddingPurpose embeddingPurpose) {
    return switch (embeddingPurpose) {
      case QUERY -> "search_query";
      case PASSAGE -> "search_document";
    };
  }

  @Override
  public EmbeddingResponse readResponse(byte[] json) {
    CohereResponse cohereResponse = Json.read(json, CohereResponse.class);
    return new EmbeddingResponse(
        Optional.empty(), cohereResponse.embeddings().getOrDefault(FLOAT, List.of()));
  }
}
