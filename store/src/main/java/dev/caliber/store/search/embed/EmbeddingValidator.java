package dev.caliber.store.search.embed;

import dev.caliber.kernel.KernelException;
import dev.caliber.store.search.SearchException;
import dev.caliber.store.spi.Embedding;

/** Validation of an embedder's results. */
public final class EmbeddingValidator {

  private EmbeddingValidator() {}

  /** Returns the vector, or throws with the reason why there is none. */
  static float[] requireVector(Embedding embedding, int dimensions) {
    return switch (embedding) {
      case Embedding.Failure failure -> throw SearchException.embeddingFailed(failure);
      case Embedding.Vector(var values) -> requireValid(values, dimensions);
    };
  }

  public static float[] requireValid(float[] values, int dimensions) {
    if (values.length != dimensions) {
      throw KernelException.dimensionMismatch(dimensions, values.length);
    }
    boolean zero = true;
    for (float element : values) {
      if (!Float.isFinite(element)) {
        throw KernelException.invalidVector(
            "the vector: expected finite elements, found " + element);
      }
      zero &= element == 0;
    }
    if (zero) {
      throw KernelException.invalidVector(
          "the vector: expected at least one element other than 0, found none");
    }
    return values;
  }
}
