package dev.caliber.models;

import dev.caliber.models.ModelsConfig.Http;
import dev.caliber.store.spi.Embedder.Purpose;
import java.net.URI;
import java.util.List;
import java.util.Map;

/** Voyage AI: OpenAI's shape, with the purpose and without cutting long texts. */
final class VoyageProtocol implements EmbeddingProtocol {

  @Override
  public String name() {
    return "voyage";
  }

  @Override
  public URI address(Http config) {
    return EmbeddingProtocol.below(config.endpoint(), "/embeddings");
  }

  @Override
  public Object request(String model, Purpose purpose, List<String> texts) {
    return Map.of("model", model, "input", texts, "input_type", type(purpose), "truncation", false);
  }

  private static String type(Purpose purpose) {
    return switch (purpose) {
      case QUERY -> "query";
      case PASSAGE -> "document";
    };
  }

  @Override
  public Answer read(byte[] json) {
    return OpenAiProtocol.answer(name(), json);
  }
}
