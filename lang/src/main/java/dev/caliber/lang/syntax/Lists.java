package dev.caliber.lang.syntax;

import dev.caliber.kernel.KernelException;
import java.util.List;

/** What lists of a tree have to be. */
final class Lists {
  private Lists() {}

  static <T> List<T> some(List<T> list) {
    if (list.isEmpty()) {
      throw KernelException.invalidValue("list", "one entry or more", "none");
    }
    return List.copyOf(list);
  }

  static <T> List<T> several(List<T> list) {
    if (list.size() < 2) {
      throw KernelException.invalidValue(
          "list", "two entries or more", Integer.toString(list.size()));
    }
    return List.copyOf(list);
  }
}
