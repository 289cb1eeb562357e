package dev.caliber.kernel;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The last of many in an order, and how many there were: for a walk that must not keep all it
 * meets. Never more than twice the number that is wanted are held. For one thread.
 */
public final class Latest<T> {
  private final Comparator<? super T> order;
  private final int most;
  private final List<T> held = new ArrayList<>();
  private long all;

  public Latest(Comparator<? super T> order, int most) {
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

  /** In order; what is equal in it, as it came. */
  public List<T> records() {
    trim();
    return List.copyOf(held);
  }

  /** How many came, with those that were left. */
  public long all() {
    return all;
  }

  private void trim() {
    held.sort(order);
    held.subList(0, Math.max(0, held.size() - most)).clear();
  }
}
