package dev.caliber.store.maintenance;

import dev.caliber.kernel.SpaceId;
import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Result of an import.
 *
 * @param spaces the spaces that it wrote to
 * @param included by table, the number of records accepted only because the rules name them; those
 *     of the server's own space begin with its name and a slash
 * @param leftOut by table, the number of records left out because the rules do not name them
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
