package dev.caliber.memory.pcp;

import java.util.ArrayList;
import java.util.List;

/**
 * The issues of one look. A report names so many of them; the others are counted, and whether one
 * of them is an error is not lost. For one thread.
 */
final class Issues {
  private final int most;
  private final List<Issue> named = new ArrayList<>();
  private long unnamed;
  private boolean errors;

  Issues(int most) {
    this.most = most;
  }

  void add(Issue issue) {
    errors |= issue.severity() == Severity.ERROR;
    if (named.size() < most) {
      named.add(issue);
    } else {
      unnamed++;
    }
  }

  List<Issue> named() {
    return List.copyOf(named);
  }

  Report report() {
    List<Issue> all = new ArrayList<>(named);
    if (unnamed > 0) {
      all.add(
          Issue.of(
              Severity.INFO,
              IssueType.NOT_NAMED,
              "%d more issues are not named (memory.limits.records)".formatted(unnamed)));
    }
    return new Report(!errors, all);
  }
}
