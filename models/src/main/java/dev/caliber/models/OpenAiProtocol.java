package dev.caliber.models;

import dev.caliber.kernel.Json;
import dev.caliber.models.ModelsConfig.HttpModelSettings;
import dev.caliber.store.spi.Embedder.EmbeddingPurpose;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Protocol of OpenAI, Mistral, vLLM, TEI, llama.cpp, LM Studio and others: {@code POST
 * /embeddings}.
 */
final class OpenAiProtocol implements EmbeddingProtocol {

  private record OpenAiResponse(Optional<String> model, List<OpenAiVector> data) {}

  @SuppressWarnings("ArrayRecordComponent") // read once, never compared
  private record OpenAiVector(int index, float[] embedding) {}

  @Override
  public String name() {
    return "openai";
  }

  @Override
  public URI requestUri(HttpModelSettings config) {
    return EmbeddingProtocol.appendPath(config.endpoint(), "/embeddings");
  }

  @Override
  public Object buildRequest(String model, EmbeddingPurpose embeddingPurpose, List<String> texts) {
    return Map.of("model", model, "input", texts, "encoding_format", "float");
  }

  @Override
  public EmbeddingResponse readResponse(byte[] json) {
    return readInOrder(name(), json);
  }

  /** Returns the vectors in the order of their indexes, each of which must occur once. */
  static EmbeddingResponse readInOrder(String provider, byte[] json) {
    OpenAiResponse openAiResponse = Json.read(json, OpenAiResponse.class);
    var ordered = new TreeMap<Integer, float[]>();
    openAiResponse
        .data()
        .forEach(openAiVector -> ordered.put(openAiVector.index(), openAiVector.embedding()));
    if (!IntStream.range(0, openAiResponse.data().size()).allMatch(ordered::containsKey)) {
      throw ModelsException.invalidResponse(
          provider,
          "the vectors are not numbered from 0, each number once: found %s"
              .formatted(ordered.keySet()));
    }
    return new EmbeddingResponse(openAiResponse.model(), List.copyOf(ordered.values()));
  }
}
