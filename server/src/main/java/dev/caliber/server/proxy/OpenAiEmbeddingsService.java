package dev.caliber.server.proxy;

import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.Limit;
import dev.caliber.kernel.TokenEstimator;
import dev.caliber.server.operation.ServerException;
import dev.caliber.server.settings.ServerConfig;
import dev.caliber.store.spi.Embedder;
import dev.caliber.store.spi.Embedder.EmbeddingPurpose;
import dev.caliber.store.spi.Embedding;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The endpoint {@code /v1/embeddings}, served by this server's embedder. Texts are embedded in
 * batches, and the work stops between two of them if the client has left. The answer begins after
 * the last vector is computed, so that a text that cannot be embedded causes a refusal and not half
 * an answer.
 */
final class OpenAiEmbeddingsService {
  private static final int BATCH_BOUND = 64;
  private static final int BATCH_TOKENS_BOUND = 8192;

  private final Embedder embedder;
  private final TokenEstimator estimate;
  private final ServerConfig.EmbeddingRequestLimits limits;

  OpenAiEmbeddingsService(
      Embedder embedder, TokenEstimator estimate, ServerConfig.EmbeddingRequestLimits limits) {
    this.embedder = embedder;
    this.estimate = estimate;
    this.limits = limits;
  }

  /** Computes the vectors of a request; the response writes them one by one. */
  OpenAiEmbeddingsResponse embedTexts(ObjectNode request, BooleanSupplier left) {
    checkModel(request.path("model").asString(""));
    JsonNode dimensions = request.path("dimensions");
    if (dimensions.isNumber() && dimensions.asInt() != embedder.dimensions()) {
      throw ServerException.invalidInput(
          "/dimensions",
          "Expected %d, the number of dimensions of the model".formatted(embedder.dimensions()));
    }
    List<String> texts = readTexts(request.path("input"));
    EmbeddingPurpose embeddingPurpose = readPurpose(request);
    List<Integer> sizes = tokenCounts(texts);
    List<float[]> vectors = new ArrayList<>();
    while (vectors.size() < texts.size()) {
      if (left.getAsBoolean()) {
        throw ServerException.clientLeft();
      }
      int from = vectors.size();
      embedder.embed(embeddingPurpose, texts.subList(from, batchEnd(sizes, from))).stream()
          .map(OpenAiEmbeddingsService::vectorOrThrow)
          .forEach(vectors::add);
    }
    boolean base64 = request.path("encoding_format").asString("").equals("base64");
    long tokens = sizes.stream().mapToLong(Integer::longValue).sum();
    return new OpenAiEmbeddingsResponse(embedder.model(), vectors, tokens, base64);
  }

  /** Counts the tokens of each text; refuses too many before any text is embedded. */
  private List<Integer> tokenCounts(List<String> texts) {
    try {
      new Limit("server.embeddings.max-inputs", limits.maxInputs())
          .requireWithin("input", texts.size());
      List<Integer> sizes = texts.stream().map(estimate::estimate).toList();
      new Limit("server.embeddings.max-tokens", limits.maxTokens())
          .requireWithin("input", sizes.stream().mapToLong(Integer::longValue).sum());
      return sizes;
    } catch (KernelException e) {
      throw ServerException.inPart("/input", e);
    }
  }

  /** Returns the end of the batch that begins here, which has at least one text of any length. */
  private static int batchEnd(List<Integer> sizes, int from) {
    long tokens = 0;
    int end = from;
    while (end < sizes.size() && end - from < BATCH_BOUND && tokens < BATCH_TOKENS_BOUND) {
      tokens += sizes.get(end++);
    }
    return end;
  }

  private static float[] vectorOrThrow(Embedding found) {
    return switch (found) {
      case Embedding.Vector(var values) -> values;
      case Embedding.Failure failure -> throw ProxyException.embeddingFailed(failure);
    };
  }

  /** Refuses any other model name: vectors of different models must not be compared. */
  private void checkModel(String wanted) {
    boolean plain = embedder.model().startsWith(wanted + ":") && !wanted.isBlank();
    if (!embedder.model().equals(wanted) && !plain) {
      throw ProxyException.unknownModel(wanted, embedder.model());
    }
  }

  private static EmbeddingPurpose readPurpose(ObjectNode request) {
    return switch (request.path("input_type").asString("document")) {
      case "query" -> EmbeddingPurpose.QUERY;
      case "document", "passage" -> EmbeddingPurpose.PASSAGE;
      default ->
          throw ServerException.invalidInput(
              "/input_type", "Expected one of query, document, passage");
    };
  }

  private static List<String> readTexts(JsonNode input) {
    if (input.isString()) {
      return List.of(input.asString());
    }
    List<String> texts =
        input.valueStream().filter(JsonNode::isString).map(JsonNode::asString).toList();
    if (!input.isArray() || texts.isEmpty() || texts.size() != input.size()) {
      throw ServerException.invalidInput(
          "/input", "Expected a text or a list of texts; lists of tokens are not supported");
    }
    return texts;
  }
}
