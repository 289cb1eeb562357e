package dev.caliber.memory.record;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;

/** Operations on lists that hold each element once. */
public final class DistinctLists {
  private DistinctLists() {}

  public static <T> List<T> union(List<T> first, List<T> second) {
    var all = new LinkedHashSet<>(first);
    all.addAll(second);
    return List.copyOf(all);
  }

  static <T> List<T> minus(List<T> list, Collection<T> gone) {
    return list.stream().filter(one -> !gone.contains(one)).toList();
  }

  static <T> List<T> without(List<T> list, T gone) {
    var rest = new ArrayList<>(list);
    rest.remove(gone);
    return List.copyOf(rest);
  }
}
