package dev.caliber.models;

import dev.caliber.kernel.Json;
import dev.caliber.models.ModelsConfig.Http;
import dev.caliber.store.spi.Embedder.Purpose;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code POST /models/NAME:batchEmbedContents} of Google's Gemini. */
final class GeminiProtocol implements EmbeddingProtocol {

  private record Body(List<Item> embeddings) {}

  @SuppressWarnings("ArrayRecordComponent") // read once, compared by nobody
  private record Item(float[] values) {}

  @Override
  public String name() {
    return "gemini";
  }

  @Override
  public URI address(Http config) {
    String model = URLEncoder.encode(config.model(), StandardCharsets.UTF_8);
    return EmbeddingProtocol.below(config.endpoint(), "/models/" + model + ":batchEmbedContents");
  }

  @Override
  public Object request(String model, Purpose purpose, List<String> texts) {
    return Map.of("requests", texts.stream().map(text -> one(model, purpose, text)).toList());
  }

  private static Map<String, Object> one(String model, Purpose purpose, String text) {
    return Map.of(
        "model",
        "models/" + model,
        "content",
        Map.of("parts", List.of(Map.of("text", text))),
        "taskType",
        type(purpose));
  }

  private static String type(Purpose purpose) {
    return switch (purpose) {
      case QUERY -> "RETRIEVAL_QUERY";
      case PASSAGE -> "RETRIEVAL_DOCUMENT";
    };
  }

  @Override
  public Answer read(byte[] json) {
    Body body = Json.read(json, Body.class);
    return new Answer(Optional.empty(), body.embeddings().stream().map(Item::values).toList());
  }

  @Override
  public String keyHeader() {
    return "x-goog-api-key";
  }

  @Override
  public String beforeKey() {
    return "";
  }
}
