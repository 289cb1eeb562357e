package dev.caliber.kernel.settings;

import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.NearestName;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Finds what the file sets and nobody reads. A section of which nothing is known is reported once,
 * without its keys.
 */
final class UnknownKeys {
  private final Source source;
  private final Set<String> keys;
  private final SortedSet<String> sections = new TreeSet<>();

  UnknownKeys(Source source, Set<String> keys) {
    this.source = source;
    this.keys = keys;
    for (String key : keys) {
      for (int dot = key.indexOf('.'); dot > 0; dot = key.indexOf('.', dot + 1)) {
        sections.add(key.substring(0, dot));
      }
    }
  }

  List<Problem> find() {
    var unknown = new ArrayList<Problem>();
    var unknownSections = new ArrayList<String>();
    source
        .tables()
        .forEach(
            (path, place) -> {
              if (!sections.contains(path)
                  && !keys.contains(path)
                  && !isInside(path, unknownSections)) {
                unknownSections.add(path);
                unknown.add(problem(path, place, "section", sections));
              }
            });
    source
        .values()
        .forEach(
            (path, value) -> {
              if (!keys.contains(path) && !isInside(path, unknownSections)) {
                unknown.add(problem(path, value.place(), "setting", keys));
              }
            });
    return unknown;
  }

  private static boolean isInside(String path, List<String> unknownSections) {
    return unknownSections.stream().anyMatch(section -> path.startsWith(section + "."));
  }

  private Problem problem(String path, Place place, String what, Set<String> known) {
    String reason =
        NearestName.of(path, known)
            .map(nearest -> "unknown " + what + "; the nearest known one is " + nearest)
            .orElse("unknown " + what);
    return new Problem(place, KernelException.invalidSetting(source.at(place), path, reason));
  }
}
