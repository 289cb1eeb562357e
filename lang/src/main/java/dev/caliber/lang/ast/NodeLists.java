package dev.caliber.lang.ast;

import dev.caliber.kernel.KernelException;
import java.util.List;

/** Checks of a tree's lists. */
final class NodeLists {
  private NodeLists() {}

  static <T> List<T> requireNonEmpty(List<T> list) {
    if (list.isEmpty()) {
      throw KernelException.invalidValue("list", "one entry or more", "none");
    }
    return List.copyOf(list);
  }

  static <T> List<T> requireAtLeastTwo(List<T> list) {
    if (list.size() < 2) {
      throw KernelException.invalidValue(
          "list", "two entries or more", Integer.toString(list.size()));
    }
    return List.copyOf(list);
  }
}
