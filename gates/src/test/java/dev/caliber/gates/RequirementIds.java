package dev.caliber.gates;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The ids of all requirements. The list is committed; if the specification itself is available, it
 * must agree.
 */
final class RequirementIds {
  private static final Pattern ROW = Pattern.compile("(?m)^(?:\\| |- )([A-Z]{1,5}-\\d{2})\\b");

  private RequirementIds() {}

  static Path committedFile() {
    return Repository.root().resolve("docs/spec-ids.txt");
  }

  /** Returns the ids in the specification's own text, if its folder is beside the repository. */
  static Optional<NavigableSet<String>> readSpecification() {
    var folder = Repository.root().resolve("../shared/spec");
    if (!Files.isDirectory(folder)) {
      return Optional.empty();
    }
    var ids = new TreeSet<String>();
    Repository.walk(folder)
        .filter(file -> file.toString().endsWith(".md"))
        .forEach(
            file ->
                ROW.matcher(Repository.text(file)).results().forEach(row -> ids.add(row.group(1))));
    return Optional.of(ids);
  }

  /** Formats one line per area: its name, then the numbers. */
  static String formatIds(Collection<String> ids) {
    return ids.stream()
        .sorted()
        .collect(
            Collectors.groupingBy(
                RequirementIds::area, java.util.TreeMap::new, Collectors.toList()))
        .entrySet()
        .stream()
        .map(
            area ->
                area.getKey()
                    + area.getValue().stream()
                        .map(id -> " " + id.substring(area.getKey().length() + 1))
                        .collect(Collectors.joining()))
        .collect(Collectors.joining("\n", "", "\n"));
  }

  static NavigableSet<String> parseIds(String text) {
    var ids = new TreeSet<String>();
    text.lines()
        .map(line -> line.split(" ", -1))
        .forEach(
            words -> {
              for (int i = 1; i < words.length; i++) {
                ids.add(words[0] + "-" + words[i]);
              }
            });
    return ids;
  }

  static String area(String id) {
    return id.substring(0, id.indexOf('-'));
  }
}
