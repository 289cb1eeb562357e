package dev.caliber.server.proxy;

import dev.caliber.kernel.Json;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import tools.jackson.core.JsonGenerator;

/** Vectors as OpenAI's clients read them, written without a copy of the whole answer. */
public final class Embedded {
  private final String model;
  private final List<float[]> vectors;
  private final long tokens;
  private final boolean base64;

  Embedded(String model, List<float[]> vectors, long tokens, boolean base64) {
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
        item(json, i);
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

  private void item(JsonGenerator json, int index) {
    json.writeStartObject();
    json.writeStringProperty("object", "embedding");
    json.writeNumberProperty("index", index);
    if (base64) {
      json.writeName("embedding");
      json.writeBinary(encoded(vectors.get(index)));
    } else {
      json.writeArrayPropertyStart("embedding");
      for (float value : vectors.get(index)) {
        json.writeNumber(value);
      }
      json.writeEndArray();
    }
    json.writeEndObject();
  }

  /** 32-bit floats, the lowest byte first. */
  private static byte[] encoded(float[] values) {
    ByteBuffer bytes =
        ByteBuffer.allocate(values.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asFloatBuffer().put(values);
    return bytes.array();
  }
}
