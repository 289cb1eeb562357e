package dev.caliber.models;

import dev.caliber.kernel.Json;
import dev.caliber.models.ModelsConfig.Http;
import dev.caliber.store.spi.Embedder.Purpose;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code POST /api/embed} of Ollama. */
final class OllamaProtocol implements EmbeddingProtocol {

  private static final String NEWEST = ":latest";

  private record Body(Optional<String> model, List<float[]> embeddings) {}

  @Override
  public String name() {
    return "ollama";
  }

  @Override
  public URI address(Http config) {
    return EmbeddingProtocol.below(config.endpoint(), "/api/embed");
  }

  @Override
  public Object request(String model, Purpose purpose, List<String> texts) {
    return Map.of("model", model, "input", texts, "truncate", false);
  }

  @Override
  public Answer read(byte[] json) {
    Body body = Json.read(json, Body.class);
    return new Answer(body.model(), body.embeddings());
  }

  /** A name without a tag and the same with the tag {@code latest} are one model. */
  @Override
  public String plain(String model) {
    return model.endsWith(NEWEST) ? model.substring(0, model.length() - NEWEST.length()) : model;
  }
}
