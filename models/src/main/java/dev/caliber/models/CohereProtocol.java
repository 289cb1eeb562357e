package dev.caliber.models;

import dev.caliber.kernel.Json;
import dev.caliber.models.ModelsConfig.Http;
import dev.caliber.store.spi.Embedder.Purpose;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code POST /embed} of Cohere, version 2. */
final class CohereProtocol implements EmbeddingProtocol {

  private static final String FLOAT = "float";

  private record Body(Map<String, List<float[]>> embeddings) {}

  @Override
  public String name() {
    return "cohere";
  }

  @Override
  public URI address(Http config) {
    return EmbeddingProtocol.below(config.endpoint(), "/embed");
  }

  @Override
  public Object request(String model, Purpose purpose, List<String> texts) {
    return Map.of(
        "model",
        model,
        "texts",
        texts,
        "input_type",
        type(purpose),
        "embedding_types",
        List.of(FLOAT),
        "truncate",
        "NONE");
  }

  private static String type(Purpose purpose) {
    return switch (purpose) {
      case QUERY -> "search_query";
      case PASSAGE -> "search_document";
    };
  }

  @Override
  public Answer read(byte[] json) {
    Body body = Json.read(json, Body.class);
    return new Answer(Optional.empty(), body.embeddings().getOrDefault(FLOAT, List.of()));
  }
}
