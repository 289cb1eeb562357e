package dev.caliber.store.search;

import dev.caliber.kernel.Hashing;
import java.util.ArrayList;
import java.util.List;

/** Collects what a document holds, to say later whether two hold the same. */
final class Fingerprint {

  private final List<String> parts = new ArrayList<>();

  void add(String name, Object value) {
    parts.add(name);
    parts.add(value.toString());
  }

  void add(float[] vector) {
    add(
        IndexFormatV1.VECTOR,
        Hashing.hex(Hashing.sha256(dev.caliber.kernel.Vectors.toBytes(vector))));
  }

  String text() {
    return Hashing.hash("document", parts.toArray(String[]::new));
  }
}
