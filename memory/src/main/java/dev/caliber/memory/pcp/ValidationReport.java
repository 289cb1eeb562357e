package dev.caliber.memory.pcp;

import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Issues of one validation.
 *
 * @param valid whether no issue is an error
 */
public record ValidationReport(boolean valid, List<Issue> issues) {
  public ValidationReport {
    issues = List.copyOf(issues);
  }

  public static ValidationReport of(List<Issue> issues) {
    return new ValidationReport(
        issues.stream().noneMatch(issue -> issue.severity() == IssueSeverity.ERROR), issues);
  }

  /** Returns the issue codes with their counts, never content. */
  String codeCounts() {
    return issues.stream()
        .collect(Collectors.groupingBy(Issue::type, TreeMap::new, Collectors.counting()))
        .entrySet()
        .stream()
        .map(entry -> entry.getKey().code() + " " + entry.getValue())
        .collect(Collectors.joining(", "));
  }
}
