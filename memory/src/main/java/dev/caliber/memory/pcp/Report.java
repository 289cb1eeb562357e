package dev.caliber.memory.pcp;

import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Everything that a look has found.
 *
 * @param valid whether no issue is an error
 */
public record Report(boolean valid, List<Issue> issues) {
  public Report {
    issues = List.copyOf(issues);
  }

  public static Report of(List<Issue> issues) {
    return new Report(
        issues.stream().noneMatch(issue -> issue.severity() == Severity.ERROR), issues);
  }

  /** The codes of what was found, each with its number; never content. */
  String codes() {
    return issues.stream()
        .collect(Collectors.groupingBy(Issue::type, TreeMap::new, Collectors.counting()))
        .entrySet()
        .stream()
        .map(entry -> entry.getKey().code() + " " + entry.getValue())
        .collect(Collectors.joining(", "));
  }
}
