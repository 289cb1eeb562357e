package dev.caliber.server.proxy;

import dev.caliber.kernel.Json;
import dev.caliber.kernel.TokenEstimate;
import dev.caliber.server.operation.ServerException;
import dev.caliber.store.spi.Embedder;
import dev.caliber.store.spi.Embedder.Purpose;
import dev.caliber.store.spi.Embedding;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Base64;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code /v1/embeddings} by the embedder of this server. */
final class Embeddings {
  private final Embedder embedder;

  private final TokenEstimate estimate;

  Embeddings(Embedder embedder, TokenEstimate estimate) {
    this.embedder = embedder;
    this.estimate = estimate;
  }

  byte[] answer(ObjectNode request) {
    checkModel(request.path("model").asString(""));
    JsonNode dimensions = request.path("dimensions");
    if (dimensions.isNumber() && dimensions.asInt() != embedder.dimensions()) {
      throw ServerException.invalidInput(
          "/dimensions", "Wanted %d, as the model has".formatted(embedder.dimensions()));
    }
    List<String> texts = texts(request.path("input"));
    List<Embedding> found = embedder.embed(purpose(request), texts);
    ObjectNode answer = Json.mapper().createObjectNode().put("object", "list");
    ArrayNode data = answer.putArray("data");
    boolean base64 = request.path("encoding_format").asString("").equals("base64");
    for (Embedding each : found) {
      item(data.addObject().put("object", "embedding"), data.size() - 1, each, base64);
    }
    answer.put("model", embedder.model());
    int tokens = texts.stream().mapToInt(estimate::estimate).sum();
    answer.putObject("usage").put("prompt_tokens", tokens).put("total_tokens", tokens);
    return Json.bytes(answer);
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

  private static void item(ObjectNode item, int index, Embedding found, boolean base64) {
    item.put("index", index);
    switch (found) {
      case Embedding.Vector(var values) -> {
        if (base64) {
          item.put("embedding", encoded(values));
        } else {
          ArrayNode numbers = item.putArray("embedding");
          for (float value : values) {
            numbers.add(value);
          }
        }
      }
      case Embedding.Failure failure -> throw ProxyException.notEmbedded(failure);
    }
  }

  /** As OpenAI's clients read it: 32-bit floats, the lowest byte first. */
  private static String encoded(float[] values) {
    ByteBuffer bytes =
        ByteBuffer.allocate(values.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asFloatBuffer().put(values);
    return Base64.getEncoder().encodeToString(bytes.array());
  }
}
