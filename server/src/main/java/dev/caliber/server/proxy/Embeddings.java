package dev.caliber.server.proxy;

import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.Limit;
import dev.caliber.kernel.TokenEstimate;
import dev.caliber.server.operation.ServerException;
import dev.caliber.server.settings.ServerConfig;
import dev.caliber.store.spi.Embedder;
import dev.caliber.store.spi.Embedder.Purpose;
import dev.caliber.store.spi.Embedding;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code /v1/embeddings} by the embedder of this server. Texts are embedded in batches; between two
 * of them the work ends if its client has left. No answer begins before the last vector is there,
 * so that a text that cannot be embedded is a refusal and not half an answer.
 */
final class Embeddings {
  private static final int BATCH_BOUND = 64;
  private static final int BATCH_TOKENS_BOUND = 8192;

  private final Embedder embedder;
  private final TokenEstimate estimate;
  private final ServerConfig.Embeddings limits;

  Embeddings(Embedder embedder, TokenEstimate estimate, ServerConfig.Embeddings limits) {
    this.embedder = embedder;
    this.estimate = estimate;
    this.limits = limits;
  }

  /** The vectors of a request, to be written one after the other. */
  Embedded embedded(ObjectNode request, BooleanSupplier left) {
    checkModel(request.path("model").asString(""));
    JsonNode dimensions = request.path("dimensions");
    if (dimensions.isNumber() && dimensions.asInt() != embedder.dimensions()) {
      throw ServerException.invalidInput(
          "/dimensions", "Wanted %d, as the model has".formatted(embedder.dimensions()));
    }
    List<String> texts = texts(request.path("input"));
    Purpose purpose = purpose(request);
    List<Integer> sizes = sizes(texts);
    List<float[]> vectors = new ArrayList<>();
    while (vectors.size() < texts.size()) {
      if (left.getAsBoolean()) {
        throw ServerException.clientLeft();
      }
      int from = vectors.size();
      embedder.embed(purpose, texts.subList(from, end(sizes, from))).stream()
          .map(Embeddings::vector)
          .forEach(vectors::add);
    }
    boolean base64 = request.path("encoding_format").asString("").equals("base64");
    long tokens = sizes.stream().mapToLong(Integer::longValue).sum();
    return new Embedded(embedder.model(), vectors, tokens, base64);
  }

  /** The tokens of each text; more of them than settings allow are refused before any is sent. */
  private List<Integer> sizes(List<String> texts) {
    try {
      new Limit("server.embeddings.inputs", limits.inputs()).check("input", texts.size());
      List<Integer> sizes = texts.stream().map(estimate::estimate).toList();
      new Limit("server.embeddings.tokens", limits.tokens())
          .check("input", sizes.stream().mapToLong(Integer::longValue).sum());
      return sizes;
    } catch (KernelException e) {
      throw ServerException.at("/input", e);
    }
  }

  /** Where the batch ends that begins here; one text is a batch, however long. */
  private static int end(List<Integer> sizes, int from) {
    long tokens = 0;
    int end = from;
    while (end < sizes.size() && end - from < BATCH_BOUND && tokens < BATCH_TOKENS_BOUND) {
      tokens += sizes.get(end++);
    }
    return end;
  }

  private static float[] vector(Embedding found) {
    return switch (found) {
      case Embedding.Vector(var values) -> values;
      case Embedding.Failure failure -> throw ProxyException.notEmbedded(failure);
    };
  }

  /** Vectors of two models are never compared, so that no other name is answered for. */
  private void checkModel(String wanted) {
    boolean plain = embedder.model().startsWith(wanted + ":") && !wanted.isBlank();
    if (!embedder.model().equals(wanted) && !plain) {
      throw ProxyException.unknownModel(wanted, embedder.model());
    }
  }

  private static Purpose purpose(ObjectNode request) {
    return switch (request.path("input_type").asString("document")) {
      case "query" -> Purpose.QUERY;
      case "document", "passage" -> Purpose.PASSAGE;
      default ->
          throw ServerException.invalidInput(
              "/input_type", "Wanted one of query, document, passage, found another");
    };
  }

  private static List<String> texts(JsonNode input) {
    if (input.isString()) {
      return List.of(input.asString());
    }
    List<String> texts =
        input.valueStream().filter(JsonNode::isString).map(JsonNode::asString).toList();
    if (!input.isArray() || texts.isEmpty() || texts.size() != input.size()) {
      throw ServerException.invalidInput(
          "/input", "Wanted a text or a list of texts; tokens are not taken");
    }
    return texts;
  }
}
