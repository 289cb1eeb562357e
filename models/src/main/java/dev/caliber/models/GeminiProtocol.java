package dev.caliber.models;

import dev.caliber.kernel.Json;
import dev.caliber.models.ModelsConfig.HttpModelSettings;
import dev.caliber.store.spi.Embedder.EmbeddingPurpose;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Protocol of Google's Gemini: {@code POST /models/NAME:batchEmbedContents}. */
final class GeminiProtocol implements EmbeddingProtocol {

  private record GeminiResponse(List<GeminiVector> embeddings) {}

  @SuppressWarnings("ArrayRecordComponent") // read once, never compared
  private record GeminiVector(float[] values) {}

  @Override
  public String name() {
    return "gemini";
  }

  @Override
  public URI requestUri(HttpModelSettings config) {
    String model = URLEncoder.encode(config.model(), StandardCharsets.UTF_8);
    return EmbeddingProtocol.appendPath(
        config.endpoint(), "/models/" + model + ":batchEmbedContents");
  }

  @Override
  public Object buildRequest(String model, EmbeddingPurpose embeddingPurpose, List<String> texts) {
    return Map.of(
        "requests",
        texts.stream().map(text -> embedRequest(model, embeddingPurpose, text)).toList());
  }

  private static Map<String, Object> embedRequest(
      String model, EmbeddingPurpose embeddingPurpose, String text) {
    return Map.of(
        "model",
        "models/" + model,
        "content",
        Map.of("parts", List.of(Map.of("text", text))),
        "taskType",
        taskType(embeddingPurpose));
  }

  private static String taskType(EmbeddingPurpose embeddingPurpose) {
    return switch (embeddingPurpose) {
      case QUERY -> "RETRIEVAL_QUERY";
      case PASSAGE -> "RETRIEVAL_DOCUMENT";
    };
  }

  @Override
  public EmbeddingResponse readResponse(byte[] json) {
    GeminiResponse geminiResponse = Json.read(json, GeminiResponse.class);
    return new EmbeddingResponse(
        Optional.empty(), geminiResponse.embeddings().stream().map(GeminiVector::values).toList());
  }

  @Override
  public String keyHeader() {
    return "x-goog-api-key";
  }

  @Override
  public String keyPrefix() {
    return "";
  }
}
