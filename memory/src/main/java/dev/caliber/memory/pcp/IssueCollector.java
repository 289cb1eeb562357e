package dev.caliber.memory.pcp;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Issues of one validation. A report lists at most {@code most} of them, the most severe first; the
 * rest is counted. For one thread.
 */
final class IssueCollector {
  private final int most;
  private final List<Issue> named = new ArrayList<>();

  /** Indexes of the issues by severity. */
  private final Map<IssueSeverity, Deque<Integer>> places = new EnumMap<>(IssueSeverity.class);

  private long unnamed;
  private boolean errors;

  IssueCollector(int most) {
    this.most = most;
  }

  void add(Issue issue) {
    errors |= issue.severity() == IssueSeverity.ERROR;
    if (named.size() < most) {
      positions(issue.severity()).add(named.size());
      named.add(issue);
    } else {
      unnamed++;
      Stream.of(IssueSeverity.values())
          .filter(lesser -> lesser.compareTo(issue.severity()) < 0)
          .filter(lesser -> !positions(lesser).isEmpty())
          .findFirst()
          .ifPresent(lesser -> replaceIssue(issue, positions(lesser).removeLast()));
    }
  }

  private void replaceIssue(Issue issue, int place) {
    named.set(place, issue);
    positions(issue.severity()).add(place);
  }

  private Deque<Integer> positions(IssueSeverity issueSeverity) {
    return places.computeIfAbsent(issueSeverity, _ -> new ArrayDeque<>());
  }

  List<Issue> namedIssues() {
    return List.copyOf(named);
  }

  ValidationReport report() {
    List<Issue> all = new ArrayList<>(named);
    if (unnamed > 0) {
      all.add(
          Issue.of(
              IssueSeverity.INFO,
              IssueType.NOT_NAMED,
              "%d more issues were found and are not listed (memory.limits.list)"
                  .formatted(unnamed)));
    }
    return new ValidationReport(!errors, all);
  }
}
