package dev.caliber.models;

import dev.caliber.kernel.Json;
import dev.caliber.models.ModelsConfig.Http;
import dev.caliber.store.spi.Embedder.Purpose;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** {@code POST /embeddings} of OpenAI, Mistral, vLLM, TEI, llama.cpp, LM Studio and others. */
final class OpenAiProtocol implements EmbeddingProtocol {

  private record Body(Optional<String> model, List<Item> data) {}

  @SuppressWarnings("ArrayRecordComponent") // read once, compared by nobody
  private record Item(int index, float[] embedding) {}

  @Override
  public String name() {
    return "openai";
  }

  @Override
  public URI address(Http config) {
    return EmbeddingProtocol.below(config.endpoint(), "/embeddings");
  }

  @Override
  public Object request(String model, Purpose purpose, List<String> texts) {
    return Map.of("model", model, "input", texts, "encoding_format", "float");
  }

  @Override
  public Answer read(byte[] json) {
    return answer(name(), json);
  }

  /** Puts the vectors in the order of their indexes, each of which must be there once. */
  static Answer answer(String provider, byte[] json) {
    Body body = Json.read(json, Body.class);
    var ordered = new TreeMap<Integer, float[]>();
    body.data().forEach(item -> ordered.put(item.index(), item.embedding()));
    if (!IntStream.range(0, body.data().size()).allMatch(ordered::containsKey)) {
      throw ModelsException.invalidResponse(
          provider, "wanted each index from 0 once, found %s".formatted(ordered.keySet()));
    }
    return new Answer(body.model(), List.copyOf(ordered.values()));
  }
}
