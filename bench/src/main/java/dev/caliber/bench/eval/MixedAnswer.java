package dev.caliber.bench.eval;

import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/** The hits of recall for a question about one subject of several. */
record MixedAnswer(String subject, EvalQuestion question, List<SubjectHit> hits) {
  MixedAnswer {
    hits = List.copyOf(hits);
  }

  /** Returns the share of evidence turns that the first k hits are or come from. */
  double recall(int k) {
    return evidenceShare(hits.stream().limit(k).toList());
  }

  /** Returns the share of evidence turns in the first hits that fit into this number of tokens. */
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

  private double evidenceShare(List<SubjectHit> some) {
    if (!question.hasGold()) {
      return 1;
    }
    Set<String> found = new HashSet<>();
    some.forEach(hit -> found.addAll(evidenceOf(hit)));
    return (double) found.size() / question.gold().size();
  }

  /** Returns the evidence turns of the question's subject that a hit is or comes from. */
  private Set<String> evidenceOf(SubjectHit hit) {
    if (!hit.subject().equals(subject)) {
      return Set.of();
    }
    Set<String> found = new HashSet<>(hit.turns());
    found.retainAll(question.gold().keySet());
    return found;
  }

  /** Returns the number of the first k hits that belong to another subject. */
  long foreignHits(int k) {
    return hits.stream().limit(k).filter(hit -> !hit.subject().equals(subject)).count();
  }

  int tokensOfFirst(int k) {
    return hits.stream().limit(k).mapToInt(SubjectHit::tokens).sum();
  }

  /** Returns the tokens of all hits up to the first with evidence; empty if none has any. */
  OptionalInt tokensUntilFirst() {
    for (int i = 0; i < hits.size(); i++) {
      if (!evidenceOf(hits.get(i)).isEmpty()) {
        return OptionalInt.of(tokensOfFirst(i + 1));
      }
    }
    return OptionalInt.empty();
  }

  /** Returns the tokens of all hits up to the last with evidence that no hit before it has. */
  OptionalInt tokensUntilAll() {
    Set<String> found = new HashSet<>();
    int last = 0;
    for (int i = 0; i < hits.size(); i++) {
      if (found.addAll(evidenceOf(hits.get(i)))) {
        last = i + 1;
      }
    }
    return last == 0 ? OptionalInt.empty() : OptionalInt.of(tokensOfFirst(last));
  }
}
