package dev.caliber.memory.pcp;

import dev.caliber.kernel.config.PcpConfig;
import dev.caliber.memory.text.PlainReader;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Holds facts of one topic against each other. What the rules see is a warning; what only reads
 * alike and differs is an info.
 */
final class Contradicting {
  static final Comparator<Source> BY_TIME =
      Comparator.comparing(Source::time).thenComparing(source -> source.record().id());

  private final PlainReader reader;
  private final PcpConfig settings;
  private final List<Issue> issues = new ArrayList<>();

  Contradicting(PlainReader reader, PcpConfig settings) {
    this.reader = reader;
    this.settings = settings;
  }

  /** The newest facts, by time; there may be more than those. */
  List<Issue> among(List<Source> facts, long all) {
    if (all > facts.size()) {
      issues.add(
          Issue.of(
              Severity.INFO,
              IssueType.NOT_COMPARED,
              "Only the newest %d of %d facts were compared (pcp.compare-limit)"
                  .formatted(facts.size(), all)));
    }
    topics(facts).forEach(this::compare);
    return issues;
  }

  private static Collection<List<Source>> topics(List<Source> facts) {
    return facts.stream().collect(Collectors.groupingBy(Source::topic)).values();
  }

  private void compare(List<Source> facts) {
    for (int i = 0; i < facts.size(); i++) {
      for (Source later : facts.subList(i + 1, facts.size())) {
        between(facts.get(i), later).ifPresent(issues::add);
      }
    }
  }

  private Optional<Issue> between(Source earlier, Source later) {
    String one = earlier.text().orElseThrow();
    String other = later.text().orElseThrow();
    if (reader.contradiction(one, other).isPresent()) {
      return Optional.of(
          issue(Severity.WARNING, "Conflicting information: %s vs %s", earlier, later));
    }
    boolean alike =
        !one.equals(other) && reader.likeness(one, other) >= settings.contradictionSimilarity();
    return alike ? Optional.of(unverified(earlier, later)) : Optional.empty();
  }

  /** Two facts that are near to each other, whether they contradict or not. */
  static Issue unverified(Source earlier, Source later) {
    return issue(Severity.INFO, "Similar and different, unverified: %s vs %s", earlier, later);
  }

  private static Issue issue(Severity severity, String words, Source earlier, Source later) {
    return Issue.of(
        severity,
        IssueType.CONTRADICTION,
        words.formatted(earlier.text().orElse(""), later.text().orElse("")),
        earlier.record(),
        later.record());
  }
}
