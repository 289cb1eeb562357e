package dev.caliber.kernel;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Arithmetic on embeddings. */
public final class Vectors {
  private Vectors() {}

  /**
   * Returns the cosine of the angle between two vectors, from -1 to 1. Sums are doubles, in which
   * squares of floats neither overflow nor vanish; so a sum that is not finite means an element
   * that is not.
   */
  public static double cosine(float[] a, float[] b) {
    if (a.length != b.length) {
      throw KernelException.dimensionMismatch(a.length, b.length);
    }
    double dot = 0;
    double squaresOfA = 0;
    double squaresOfB = 0;
    for (int i = 0; i < a.length; i++) {
      double x = a[i];
      double y = b[i];
      dot += x * y;
      squaresOfA += x * x;
      squaresOfB += y * y;
    }
    double norms = norm(squaresOfA) * norm(squaresOfB);
    return Math.clamp(dot / norms, -1.0, 1.0);
  }

  /** Returns four bytes for each element, the lowest first. */
  public static byte[] toBytes(float[] vector) {
    var bytes =
        ByteBuffer.allocate(Math.multiplyExact(vector.length, Float.BYTES))
            .order(ByteOrder.LITTLE_ENDIAN);
    bytes.asFloatBuffer().put(vector);
    return bytes.array();
  }

  public static float[] fromBytes(byte[] bytes) {
    if (bytes.length % Float.BYTES != 0) {
      throw KernelException.invalidVector(
          "The bytes of a vector are incomplete: expected 4 bytes for each element, found "
              + bytes.length
              + " bytes");
    }
    var vector = new float[bytes.length / Float.BYTES];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().get(vector);
    return vector;
  }

  private static double norm(double squares) {
    if (!Double.isFinite(squares)) {
      throw KernelException.invalidVector(
          "The vector cannot be used: expected finite elements, found one that is not finite");
    }
    if (squares == 0) {
      throw KernelException.invalidVector(
          "The vector cannot be used: expected at least one element other than 0, found none");
    }
    return Math.sqrt(squares);
  }
}
