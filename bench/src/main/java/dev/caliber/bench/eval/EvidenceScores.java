package dev.caliber.bench.eval;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/** Shares of evidence inside windows, by method and budget. */
final class EvidenceScores {
  private static final double PERCENT = 100;

  private final List<Integer> budgets;
  private final Map<EvidenceMethod, Map<Integer, EvidenceSum>> sums =
      new EnumMap<>(EvidenceMethod.class);

  EvidenceScores(List<Integer> budgets) {
    this.budgets = budgets;
    for (EvidenceMethod method : EvidenceMethod.values()) {
      sums.put(method, new TreeMap<>());
      budgets.forEach(budget -> sumOf(method).put(budget, new EvidenceSum()));
    }
  }

  /** Sums over questions. */
  private static final class EvidenceSum {
    private int questions;
    private double share;
    private int whole;
    private long tokens;
  }

  private Map<Integer, EvidenceSum> sumOf(EvidenceMethod method) {
    return Objects.requireNonNull(sums.get(method));
  }

  private EvidenceSum sumOf(EvidenceMethod method, int budget) {
    return Objects.requireNonNull(sumOf(method).get(budget));
  }

  /** The evidence turns inside a window, and its tokens. */
  record WindowEvidence(Set<String> turns, int tokens) {}

  void add(
      EvidenceMethod method, int budget, EvalQuestion question, WindowEvidence windowEvidence) {
    EvidenceSum evidenceSum = sumOf(method, budget);
    long found = question.gold().keySet().stream().filter(windowEvidence.turns()::contains).count();
    evidenceSum.questions++;
    evidenceSum.share += (double) found / question.gold().size();
    evidenceSum.whole += found == question.gold().size() ? 1 : 0;
    evidenceSum.tokens += windowEvidence.tokens();
  }

  List<Integer> budgets() {
    return budgets;
  }

  int questions() {
    return sumOf(EvidenceMethod.ASSEMBLED, budgets.getFirst()).questions;
  }

  /** Returns the share in percent. */
  double share(EvidenceMethod method, int budget) {
    EvidenceSum evidenceSum = sumOf(method, budget);
    return PERCENT * evidenceSum.share / Math.max(1, evidenceSum.questions);
  }

  private double wholeShare(EvidenceMethod method, int budget) {
    EvidenceSum evidenceSum = sumOf(method, budget);
    return PERCENT * evidenceSum.whole / Math.max(1, evidenceSum.questions);
  }

  private long meanTokens(EvidenceMethod method, int budget) {
    EvidenceSum evidenceSum = sumOf(method, budget);
    return evidenceSum.tokens / Math.max(1, evidenceSum.questions);
  }

  List<Map<String, Object>> rows() {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (EvidenceMethod method : EvidenceMethod.values()) {
      for (int budget : budgets) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("method", method.title());
        row.put("budget", budget);
        row.put("questions", questions());
        row.put("evidence", share(method, budget));
        row.put("all_evidence", wholeShare(method, budget));
        row.put("tokens", meanTokens(method, budget));
        rows.add(row);
      }
    }
    return rows;
  }

  String terminalText() {
    StringBuilder text = new StringBuilder();
    appendLine(text, "%,d questions; percentages".formatted(questions()));
    appendLine(
        text,
        "%-22s %8s %10s %14s %8s"
            .formatted("method", "budget", "evidence", "all evidence", "tokens"));
    for (EvidenceMethod method : EvidenceMethod.values()) {
      for (int budget : budgets) {
        appendLine(
            text,
            "%-22s %8d %10.1f %14.1f %8d"
                .formatted(
                    method.title(),
                    budget,
                    share(method, budget),
                    wholeShare(method, budget),
                    meanTokens(method, budget)));
      }
    }
    return text.toString();
  }

  private static void appendLine(StringBuilder text, String words) {
    text.append(words).append('\n');
  }
}
