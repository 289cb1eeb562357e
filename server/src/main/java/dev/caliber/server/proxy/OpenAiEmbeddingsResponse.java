package dev.caliber.server.proxy;

import dev.caliber.kernel.Json;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import tools.jackson.core.JsonGenerator;

/** Vectors in OpenAI's JSON, written without a copy of the whole answer. */
public final class OpenAiEmbeddingsResponse {
  private final String model;
  private final List<float[]> vectors;
  private final long tokens;
  private final boolean base64;

  OpenAiEmbeddingsResponse(String model, List<float[]> vectors, long tokens, boolean base64) {
    this.model = model;
    this.vectors = List.copyOf(vectors);
    this.tokens = tokens;
    this.base64 = base64;
  }

  public void write(OutputStream out) {
    try (JsonGenerator json = Json.mapper().createGenerator(out)) {
      json.writeStartObject();
      json.writeStringProperty("object", "list");
      json.writeArrayPropertyStart("data");
      for (int i = 0; i < vectors.size(); i++) {
        writeItem(json, i);
      }
      json.writeEndArray();
      json.writeStringProperty("model", model);
      json.writeObjectPropertyStart("usage");
      json.writeNumberProperty("prompt_tokens", tokens);
      json.writeNumberProperty("total_tokens", tokens);
      json.writeEndObject();
      json.writeEndObject();
    }
  }

  private void writeItem(JsonGenerator json, int index) {
    json.writeStartObject();
    json.writeStringProperty("object", "embedding");
    json.writeNumberProperty("index", index);
    if (base64) {
      json.writeName("embedding");
      json.writeBinary(encodeFloats(vectors.get(index)));
    } else {
      json.writeArrayPropertyStart("embedding");
      for (float value : vectors.get(index)) {
        json.writeNumber(value);
      }
      json.writeEndArray();
    }
    json.writeEndObject();
  }

  /** Encodes 32-bit floats, little-endian, in base64. */
  private static byte[] encodeFloats(float[] values) {
    ByteBuffer bytes =
        ByteBuffer.allocate(values.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asFloatBuffer().put(values);
    return bytes.array();
  }
}
