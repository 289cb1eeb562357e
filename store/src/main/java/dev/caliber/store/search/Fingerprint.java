package dev.caliber.store.search;

import dev.caliber.kernel.FieldHash;
import java.util.ArrayList;
import java.util.List;

/** Hash of a document's content, for comparison with another document. */
final class Fingerprint {

  private final List<String> parts = new ArrayList<>();

  void add(String name, Object value) {
    parts.add(name);
    parts.add(value.toString());
  }

  void add(float[] vector) {
    add(
        IndexFormatV1.VECTOR,
        FieldHash.hex(FieldHash.sha256(dev.caliber.kernel.Vectors.toBytes(vector))));
  }

  String text() {
    return FieldHash.hash("document", parts.toArray(String[]::new));
  }
}
