package dev.caliber.models;

import dev.caliber.models.ModelsConfig.Http;
import dev.caliber.store.spi.Embedder.Purpose;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/** How one kind of server is asked for vectors. None may shorten a text silently. */
sealed interface EmbeddingProtocol
    permits OpenAiProtocol, VoyageProtocol, OllamaProtocol, CohereProtocol, GeminiProtocol {

  /** What a server answered: the model's name if it says so, and the vectors in order. */
  record Answer(Optional<String> model, List<float[]> vectors) {
    public Answer {
      vectors = List.copyOf(vectors);
    }
  }

  /** The name in the file, which also begins the model's name. */
  String name();

  URI address(Http config);

  /** The request as JSON. */
  Object request(String model, Purpose purpose, List<String> texts);

  /** Reads an answer; one that breaks the protocol is an error. */
  Answer read(byte[] json);

  /** A model's name without what makes no difference. */
  default String plain(String model) {
    return model;
  }

  default String keyHeader() {
    return "Authorization";
  }

  default String beforeKey() {
    return "Bearer ";
  }

  /** The endpoint with a path added. */
  static URI below(URI endpoint, String path) {
    String base = endpoint.toString();
    return URI.create(
        base.endsWith("/") ? base.substring(0, base.length() - 1) + path : base + path);
  }
}
