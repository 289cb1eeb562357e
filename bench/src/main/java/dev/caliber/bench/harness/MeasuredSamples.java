package dev.caliber.bench.harness;

import java.util.Arrays;
import java.util.Collection;

/** All measured values, so that percentiles are exact. Filled by one thread. */
public final class MeasuredSamples {

  private static final int FIRST_CAPACITY = 1024;

  private long[] values = new long[FIRST_CAPACITY];
  private int size;
  private boolean sorted = true;

  public void add(long value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, size * 2);
    }
    values[size++] = value;
    sorted = false;
  }

  public void addAll(MeasuredSamples other) {
    int total = Math.addExact(size, other.size);
    if (total > values.length) {
      values = Arrays.copyOf(values, Math.max(total, values.length * 2));
    }
    System.arraycopy(other.values, 0, values, size, other.size);
    size = total;
    sorted = false;
  }

  static MeasuredSamples merged(Collection<MeasuredSamples> parts) {
    MeasuredSamples all = new MeasuredSamples();
    parts.forEach(all::addAll);
    return all;
  }

  public int size() {
    return size;
  }

  /** Returns the smallest value that this share of all values does not exceed; 0 without values. */
  public long percentile(double share) {
    if (size == 0) {
      return 0;
    }
    if (!sorted) {
      Arrays.sort(values, 0, size);
      sorted = true;
    }
    int rank = (int) Math.ceil(share * size);
    return values[Math.clamp(rank - 1L, 0, size - 1)];
  }

  public long max() {
    return percentile(1);
  }
}
