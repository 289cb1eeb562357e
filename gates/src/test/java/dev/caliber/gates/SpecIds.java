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
 * The ids of all requirements. The list is committed; where the specification itself is at hand, it
 * must agree.
 */
final class SpecIds {
  private static final Pattern ROW = Pattern.compile("(?m)^(?:\\| |- )([A-Z]{1,5}-\\d{2})\\b");

  private SpecIds() {}

  static Path committedFile() {
    return House.root().resolve("docs/spec-ids.txt");
  }

  /** The ids in the specification's own text, if the folder is beside the repository. */
  static Optional<NavigableSet<String>> fromSpecification() {
    var folder = House.root().resolve("../shared/spec");
    if (!Files.isDirectory(folder)) {
      return Optional.empty();
    }
    var ids = new TreeSet<String>();
    House.walk(folder)
        .filter(file -> file.toString().endsWith(".md"))
        .forEach(
            file -> ROW.matcher(House.text(file)).results().forEach(row -> ids.add(row.group(1))));
    return Optional.of(ids);
  }

  /** One line per area: its name, then the numbers. */
  static String write(Collection<String> ids) {
    return ids.stream()
        .sorted()
        .collect(Collectors.groupingBy(SpecIds::area, java.util.TreeMap::new, Collectors.toList()))
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

  static NavigableSet<String> read(String text) {
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
