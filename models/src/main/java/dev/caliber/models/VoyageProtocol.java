package dev.caliber.models;

import dev.caliber.models.ModelsConfig.HttpModelSettings;
import dev.caliber.store.spi.Embedder.EmbeddingPurpose;
import java.net.URI;
import java.util.List;
import java.util.Map;

/** Protocol of Voyage AI: OpenAI's shape, with the purpose and without truncation of long texts. */
final class VoyageProtocol implements EmbeddingProtocol {

  @Override
  public String name() {
    return "voyage";
  }

  @Override
  public URI requestUri(HttpModelSettings config) {
    return EmbeddingProtocol.appendPath(config.endpoint(), "/embeddings");
  }

  @Override
  public Object buildRequest(String model, EmbeddingPurpose embeddingPurpose, List<String> texts) {
    return Map.of(
        "model",
        model,
        "input",
        texts,
        "input_type",
        inputType(embeddingPurpose),
        "truncation",
        false);
  }

  private static String inputType(EmbeddingPurpose embeddingPurpose) {
    return switch (embeddingPurpose) {
      case QUERY -> "query";
      case PASSAGE -> "document";
    };
  }

  @Override
  public EmbeddingResponse readResponse(byte[] json) {
    return OpenAiProtocol.readInOrder(name(), json);
  }
}
