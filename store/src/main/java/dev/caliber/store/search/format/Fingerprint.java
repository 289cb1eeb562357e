package dev.caliber.store.search.format;

import dev.caliber.kernel.FieldHash;
import java.util.ArrayList;
import java.util.List;

/** Hash of a document's content, for comparison with another document. */
public final class Fingerprint {

  private final List<String> parts = new ArrayList<>();

  public void add(String name, Object value) {
    parts.add(name);
    parts.add(value.toString());
  }

  public void add(float[] vector) {
    add(
        IndexFormatV1.VECTOR,
        FieldHash.hex(FieldHash.sha256(dev.caliber.kernel.Vectors.toBytes(vector))));
  }

  public String text() {
    return FieldHash.hash("document", parts.toArray(String[]::new));
  }
}
