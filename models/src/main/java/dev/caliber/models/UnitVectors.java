package dev.caliber.models;

import dev.caliber.kernel.KernelException;

/** Vectors of length 1, the form in which all models return theirs. */
final class UnitVectors {

  private UnitVectors() {}

  /** Returns the vector's direction; refuses one without a direction. */
  static float[] normalized(float[] vector) {
    double length = Math.sqrt(sumOfSquares(vector));
    if (length == 0 || !Double.isFinite(length)) {
      throw KernelException.invalidVector(
          "The vector cannot be used: expected a length above 0, found length " + length);
    }
    var unit = new float[vector.length];
    for (int i = 0; i < unit.length; i++) {
      unit[i] = (float) (vector[i] / length);
    }
    return unit;
  }

  static double sumOfSquares(float[] vector) {
    double squares = 0;
    for (float element : vector) {
      squares += (double) element * element;
    }
    return squares;
  }

  /** Adds the vector, times the weight, to a sum. */
  static void addWeighted(float[] sum, float[] vector, float weight) {
    for (int i = 0; i < sum.length; i++) {
      sum[i] += weight * vector[i];
    }
  }
}
