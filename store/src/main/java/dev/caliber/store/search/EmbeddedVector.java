package dev.caliber.store.search;

import dev.caliber.kernel.KernelException;
import dev.caliber.store.spi.Embedding;

/** An embedder's answer, held against what was promised. */
final class EmbeddedVector {

  private EmbeddedVector() {}

  /** The vector, or an error that says why there is none. */
  static float[] of(Embedding embedding, int dimensions) {
    return switch (embedding) {
      case Embedding.Failure failure -> throw SearchException.embeddingFailed(failure);
      case Embedding.Vector(var values) -> checked(values, dimensions);
    };
  }

  static float[] checked(float[] values, int dimensions) {
    if (values.length != dimensions) {
      throw KernelException.dimensionMismatch(dimensions, values.length);
    }
    boolean zero = true;
    for (float element : values) {
      if (!Float.isFinite(element)) {
        throw KernelException.invalidVector("wanted finite elements, found " + element);
      }
      zero &= element == 0;
    }
    if (zero) {
      throw KernelException.invalidVector("wanted a direction, found a vector of length 0");
    }
    return values;
  }
}
