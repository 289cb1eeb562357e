package dev.caliber.store;

import dev.caliber.kernel.SpaceId;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/** What an import did; {@code spaces} are those that it wrote to. */
public record ImportReport(long created, long replaced, long skipped, SortedSet<SpaceId> spaces) {

  public ImportReport {
    spaces = Collections.unmodifiableSortedSet(new TreeSet<>(spaces));
  }
}
