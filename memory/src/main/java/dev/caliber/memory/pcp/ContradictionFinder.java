package dev.caliber.memory.pcp;

import dev.caliber.kernel.config.ContextIntegrityConfig;
import dev.caliber.memory.text.RuleBasedTextAnalyzer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Compares facts of one topic with each other. A contradiction found by rules is a warning; two
 * facts that are only similar and differ are an info.
 */
final class ContradictionFinder {
  static final Comparator<EvidenceRecord> BY_TIME =
      Comparator.comparing(EvidenceRecord::time)
          .thenComparing(evidenceRecord -> evidenceRecord.record().id());

  private final RuleBasedTextAnalyzer reader;
  private final ContextIntegrityConfig settings;
  private final List<Issue> issues = new ArrayList<>();

  ContradictionFinder(RuleBasedTextAnalyzer reader, ContextIntegrityConfig settings) {
    this.reader = reader;
    this.settings = settings;
  }

  /** Takes the newest facts, by time; {@code all} may be more than those. */
  List<Issue> findContradictions(List<EvidenceRecord> facts, long all) {
    if (all > facts.size()) {
      issues.add(
          Issue.of(
              IssueSeverity.INFO,
              IssueType.NOT_COMPARED,
              "Only the newest %d of %d facts were compared (pcp.fact-comparison-limit)"
                  .formatted(facts.size(), all)));
    }
    groupByTopic(facts).forEach(this::comparePairs);
    return issues;
  }

  private static Collection<List<EvidenceRecord>> groupByTopic(List<EvidenceRecord> facts) {
    return facts.stream().collect(Collectors.groupingBy(EvidenceRecord::topic)).values();
  }

  private void comparePairs(List<EvidenceRecord> facts) {
    for (int i = 0; i < facts.size(); i++) {
      for (EvidenceRecord later : facts.subList(i + 1, facts.size())) {
        comparePair(facts.get(i), later).ifPresent(issues::add);
      }
    }
  }

  private Optional<Issue> comparePair(EvidenceRecord earlier, EvidenceRecord later) {
    String one = earlier.text().orElseThrow();
    String other = later.text().orElseThrow();
    if (reader.findContradiction(one, other).isPresent()) {
      return Optional.of(
          newIssue(
              IssueSeverity.WARNING,
              "Contradiction between two records: %s vs %s",
              earlier,
              later));
    }
    boolean alike =
        !one.equals(other) && reader.similarity(one, other) >= settings.contradictionSimilarity();
    return alike ? Optional.of(unverifiedIssue(earlier, later)) : Optional.empty();
  }

  /** Returns an info on two similar facts that may or may not contradict each other. */
  static Issue unverifiedIssue(EvidenceRecord earlier, EvidenceRecord later) {
    return newIssue(
        IssueSeverity.INFO,
        "Possible contradiction, unverified: these facts are similar but different: %s vs %s",
        earlier,
        later);
  }

  private static Issue newIssue(
      IssueSeverity issueSeverity, String words, EvidenceRecord earlier, EvidenceRecord later) {
    return Issue.of(
        issueSeverity,
        IssueType.CONTRADICTION,
        words.formatted(earlier.text().orElse(""), later.text().orElse("")),
        earlier.record(),
        later.record());
  }
}
