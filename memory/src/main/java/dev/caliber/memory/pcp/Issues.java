package dev.caliber.memory.pcp;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The issues of one look. A report names so many of them, the worst before others; the rest is
 * counted. For one thread.
 */
final class Issues {
  private final int most;
  private final List<Issue> named = new ArrayList<>();

  /** Where those of each severity stand. */
  private final Map<Severity, Deque<Integer>> places = new EnumMap<>(Severity.class);

  private long unnamed;
  private boolean errors;

  Issues(int most) {
    this.most = most;
  }

  void add(Issue issue) {
    errors |= issue.severity() == Severity.ERROR;
    if (named.size() < most) {
      places(issue.severity()).add(named.size());
      named.add(issue);
    } else {
      unnamed++;
      Stream.of(Severity.values())
          .filter(lesser -> lesser.compareTo(issue.severity()) < 0)
          .filter(lesser -> !places(lesser).isEmpty())
          .findFirst()
          .ifPresent(lesser -> takePlace(issue, places(lesser).removeLast()));
    }
  }

  private void takePlace(Issue issue, int place) {
    named.set(place, issue);
    places(issue.severity()).add(place);
  }

  private Deque<Integer> places(Severity severity) {
    return places.computeIfAbsent(severity, _ -> new ArrayDeque<>());
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
