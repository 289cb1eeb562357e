package dev.caliber.kernel;

import java.util.Collection;
import java.util.Optional;

/**
 * Search for the known name nearest to an unknown one. Names too long to be typed by mistake are
 * not compared: many of them would take long.
 */
public final class NearestName {
  private static final int LONGEST = 64;

  private NearestName() {}

  /**
   * Returns the known name with the fewest edits: at most two, or a third of the name's last part,
   * and never more than half of the name.
   */
  public static Optional<String> find(String name, Collection<String> known) {
    if (name.length() > LONGEST) {
      return Optional.empty();
    }
    int lastPart = name.length() - name.lastIndexOf('.') - 1;
    int fewest = Math.min(Math.max(2, lastPart / 3), (name.length() + 1) / 2) + 1;
    String nearest = "";
    for (String candidate : known) {
      if (Math.abs(candidate.length() - name.length()) >= fewest) {
        continue;
      }
      int edits = editDistance(name, candidate);
      if (edits < fewest) {
        fewest = edits;
        nearest = candidate;
      }
    }
    return nearest.isEmpty() ? Optional.empty() : Optional.of(nearest);
  }

  /**
   * Returns the number of characters to insert, delete or replace to turn one name into the other.
   */
  static int editDistance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[b.length()];
  }
}
