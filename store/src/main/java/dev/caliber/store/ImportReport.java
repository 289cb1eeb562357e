package dev.caliber.store;

import dev.caliber.kernel.SpaceId;
import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What an import did.
 *
 * @param spaces those that it wrote to
 * @param included how many records it took over only because they were named, by table; those of
 *     the server's own space begin with its name and a slash
 * @param leftOut how many records it left out because they were not named, by table
 */
public record ImportReport(
    long created,
    long replaced,
    long skipped,
    SortedSet<SpaceId> spaces,
    SortedMap<String, Long> included,
    SortedMap<String, Long> leftOut) {

  public ImportReport {
    spaces = Collections.unmodifiableSortedSet(new TreeSet<>(spaces));
    included = Collections.unmodifiableSortedMap(new TreeMap<>(included));
    leftOut = Collections.unmodifiableSortedMap(new TreeMap<>(leftOut));
  }
}
