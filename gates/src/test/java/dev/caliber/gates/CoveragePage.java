package dev.caliber.gates;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The page docs/coverage.md: the tests of each requirement, and the reasons for those without. */
record CoveragePage(
    NavigableSet<String> ids,
    NavigableMap<String, NavigableSet<String>> tests,
    NavigableMap<String, List<String>> partIds,
    Map<String, String> reasons) {

  String text() {
    var page = new StringBuilder();
    page.append("# What the tests show\n\n")
        .append(
            "Generated from the names of the tests by `./verify --coverage`; a test fails when this page is out of date.\n")
        .append(
            "An id at the start of a test's display name claims the requirement. Reasons are kept in `coverage-reasons.properties`,\n")
        .append("what each finished part owns in `coverage-floors.properties`.\n");
    partIds.forEach((part, owned) -> page.append(partText(part, owned)));
    page.append(areas());
    return page.toString();
  }

  /** Returns ids that a finished part owns and that have neither a test nor a reason. */
  List<String> unexplainedIds() {
    return partIds.values().stream()
        .flatMap(List::stream)
        .filter(id -> !tests.containsKey(id) && !reasons.containsKey(id))
        .toList();
  }

  /** Returns ids in test names that no specification has. */
  NavigableSet<String> unknownIds() {
    var unknown = new TreeSet<>(tests.keySet());
    unknown.removeAll(ids);
    return unknown;
  }

  private String partText(String part, List<String> owned) {
    long shown = owned.stream().filter(tests::containsKey).count();
    var text = new StringBuilder(heading(part.replace('-', ' '), shown, owned.size()));
    idsByArea(owned)
        .forEach(
            (area, members) -> {
              text.append("\n### ").append(area).append("\n\n| Id | Shown by |\n|---|---|\n");
              members.forEach(id -> text.append(row(id, evidence(id))));
            });
    return text.toString();
  }

  private String evidence(String id) {
    var shown = tests.get(id);
    return shown == null
        ? "not shown: " + reasons.getOrDefault(id, "no reason given")
        : shown.stream().map(test -> "`" + test + "`").collect(Collectors.joining("<br>"));
  }

  private String areas() {
    long shown = ids.stream().filter(tests::containsKey).count();
    var text = new StringBuilder(heading("all areas", shown, ids.size()));
    text.append("\n| Area | Ids | Shown | The rest |\n|---|---:|---:|---|\n");
    idsByArea(ids)
        .forEach(
            (area, members) -> {
              long here = members.stream().filter(tests::containsKey).count();
              var rest = here == members.size() ? "" : reasons.getOrDefault(area, "not built yet");
              text.append(row(area, members.size(), here, rest));
            });
    return text.toString();
  }

  private static String heading(String what, long shown, int all) {
    return "\n## " + what + ": " + shown + " of " + all + " shown\n";
  }

  private static String row(Object... cells) {
    return Arrays.stream(cells)
        .map(String::valueOf)
        .collect(Collectors.joining(" | ", "| ", " |\n"));
  }

  private static NavigableMap<String, List<String>> idsByArea(Iterable<String> ids) {
    var areas = new TreeMap<String, List<String>>();
    ids.forEach(id -> areas.merge(RequirementIds.area(id), List.of(id), CoveragePage::joinLists));
    return areas;
  }

  private static List<String> joinLists(List<String> some, List<String> more) {
    var all = new java.util.ArrayList<>(some);
    all.addAll(more);
    return List.copyOf(all);
  }
}
