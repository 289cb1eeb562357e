package dev.caliber.kernel;

import static dev.caliber.kernel.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class VectorsTest {
  @Test
  @DisplayName("UTL-02: cosine is the dot product over the norms")
  void cosineOfKnownVectors() {
    assertThat(Vectors.cosine(new float[] {1, 0}, new float[] {0, 3})).isZero();
    assertThat(Vectors.cosine(new float[] {1, 2, 3}, new float[] {2, 4, 6}))
        .isEqualTo(1.0, within(1e-12));
    assertThat(Vectors.cosine(new float[] {1, 1}, new float[] {-2, -2}))
        .isEqualTo(-1.0, within(1e-12));
    assertThat(Vectors.cosine(new float[] {3, 4}, new float[] {4, 3}))
        .isEqualTo(0.96, within(1e-12));
  }

  @Test
  @DisplayName("UTL-02: vectors of different lengths are a mismatch")
  void differentLengthsAreAMismatch() {
    assertThat(
            refused(
                KernelErrorCode.DIMENSION_MISMATCH,
                () -> Vectors.cosine(new float[2], new float[3])))
        .hasMessage("The vector has the wrong length: expected 2 dimensions, found 3");
  }

  @Test
  @DisplayName("UTL-02: a vector without direction or with an infinite element is refused")
  void vectorsWithoutDirectionAreRefused() {
    float[] good = {1, 1};
    float[][] bad = {
      {0, 0}, {Float.NaN, 1}, {Float.POSITIVE_INFINITY, 1}, {1, Float.NEGATIVE_INFINITY}
    };
    for (float[] vector : bad) {
      refused(KernelErrorCode.INVALID_VECTOR, () -> Vectors.cosine(vector, good));
      refused(KernelErrorCode.INVALID_VECTOR, () -> Vectors.cosine(good, vector));
    }
    refused(KernelErrorCode.INVALID_VECTOR, () -> Vectors.cosine(new float[0], new float[0]));
  }

  @Test
  @DisplayName("UTL-02: the smallest and the greatest floats have a cosine")
  void extremesHaveACosine() {
    float[] smallest = {Float.MIN_VALUE, 0};
    float[] greatest = {Float.MAX_VALUE, Float.MAX_VALUE};
    assertThat(Vectors.cosine(smallest, smallest)).isEqualTo(1.0, within(1e-12));
    assertThat(Vectors.cosine(greatest, greatest)).isEqualTo(1.0, within(1e-12));
    assertThat(Vectors.cosine(smallest, greatest)).isEqualTo(Math.sqrt(0.5), within(1e-12));
  }

  @Property
  @Label("UTL-02: the cosine is a number from -1 to 1, or the vectors are refused")
  void cosineIsNeverNan(@ForAll @Size(3) float[] a, @ForAll @Size(3) float[] b) {
    try {
      assertThat(Vectors.cosine(a, b)).isBetween(-1.0, 1.0).isEqualTo(Vectors.cosine(b, a));
    } catch (KernelException e) {
      assertThat(e.code()).isEqualTo(KernelErrorCode.INVALID_VECTOR);
    }
  }

  @Property
  void bytesKeepTheVector(@ForAll float[] vector) {
    assertThat(Vectors.fromBytes(Vectors.toBytes(vector))).isEqualTo(vector);
  }

  @Test
  void bytesAreLittleEndian() {
    assertThat(Vectors.toBytes(new float[] {1f})).containsExactly(0, 0, 0x80, 0x3F);
    refused(KernelErrorCode.INVALID_VECTOR, () -> Vectors.fromBytes(new byte[5]));
  }
}
