package dev.caliber.bench;

import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/** What recall found for a question about one subject of several. */
record MixedAnswer(String subject, EvalQuestion question, List<SubjectHit> hits) {
  MixedAnswer {
    hits = List.copyOf(hits);
  }

  /** The share of evidence turns that the first k hits are or come from; 1 without evidence. */
  double recall(int k) {
    return share(hits.stream().limit(k).toList());
  }

  /** The share of evidence turns in the first hits that fit into so many tokens. */
  double recallWithin(int tokens) {
    int used = 0;
    int count = 0;
    for (SubjectHit hit : hits) {
      used += hit.tokens();
      if (used > tokens) {
        break;
      }
      count++;
    }
    return recall(count);
  }

  private double share(List<SubjectHit> some) {
    if (!question.hasGold()) {
      return 1;
    }
    Set<String> found = new HashSet<>();
    some.forEach(hit -> found.addAll(evidence(hit)));
    return (double) found.size() / question.gold().size();
  }

  /** The evidence turns that a hit is or comes from: those of the question's subject alone. */
  private Set<String> evidence(SubjectHit hit) {
    if (!hit.subject().equals(subject)) {
      return Set.of();
    }
    Set<String> found = new HashSet<>(hit.turns());
    found.retainAll(question.gold().keySet());
    return found;
  }

  /** How many of the first k belong to another subject. */
  long foreign(int k) {
    return hits.stream().limit(k).filter(hit -> !hit.subject().equals(subject)).count();
  }

  int tokens(int k) {
    return hits.stream().limit(k).mapToInt(SubjectHit::tokens).sum();
  }

  /** The tokens of all hits up to the first with evidence; empty if none has any. */
  OptionalInt tokensUntilFirst() {
    for (int i = 0; i < hits.size(); i++) {
      if (!evidence(hits.get(i)).isEmpty()) {
        return OptionalInt.of(tokens(i + 1));
      }
    }
    return OptionalInt.empty();
  }

  /** The tokens of all hits up to the last with evidence that no hit before it has. */
  OptionalInt tokensUntilAll() {
    Set<String> found = new HashSet<>();
    int last = 0;
    for (int i = 0; i < hits.size(); i++) {
      if (found.addAll(evidence(hits.get(i)))) {
        last = i + 1;
      }
    }
    return last == 0 ? OptionalInt.empty() : OptionalInt.of(tokens(last));
  }
}
