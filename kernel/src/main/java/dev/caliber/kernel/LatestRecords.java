package dev.caliber.kernel;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Last records of many in an order, and the number of all: for a scan that must not hold all it
 * reads. At most twice the wanted number is held. For one thread.
 */
public final class LatestRecords<T> {
  private final Comparator<? super T> order;
  private final int most;
  private final List<T> held = new ArrayList<>();
  private long all;

  public LatestRecords(Comparator<? super T> order, int most) {
    this.order = order;
    this.most = most;
  }

  public void add(T record) {
    held.add(record);
    all++;
    if (held.size() > 2L * most) {
      trim();
    }
  }

  /** Returns the records in order; equal ones in the order in which they were added. */
  public List<T> records() {
    trim();
    return List.copyOf(held);
  }

  /** Returns the number of all records added, including those dropped. */
  public long totalCount() {
    return all;
  }

  private void trim() {
    held.sort(order);
    held.subList(0, Math.max(0, held.size() - most)).clear();
  }
}
