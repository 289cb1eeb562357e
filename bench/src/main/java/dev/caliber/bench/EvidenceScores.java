package dev.caliber.bench;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/** The share of evidence inside windows, by method and budget. */
final class EvidenceScores {
  private static final double PERCENT = 100;

  private final List<Integer> budgets;
  private final Map<EvidenceMethod, Map<Integer, Sum>> sums = new EnumMap<>(EvidenceMethod.class);

  EvidenceScores(List<Integer> budgets) {
    this.budgets = budgets;
    for (EvidenceMethod method : EvidenceMethod.values()) {
      sums.put(method, new TreeMap<>());
      budgets.forEach(budget -> of(method).put(budget, new Sum()));
    }
  }

  /** Over questions. */
  private static final class Sum {
    private int questions;
    private double share;
    private int whole;
    private long tokens;
  }

  private Map<Integer, Sum> of(EvidenceMethod method) {
    return Objects.requireNonNull(sums.get(method));
  }

  private Sum of(EvidenceMethod method, int budget) {
    return Objects.requireNonNull(of(method).get(budget));
  }

  /** The turns that were inside, and what the window took. */
  record Inside(Set<String> turns, int tokens) {}

  void add(EvidenceMethod method, int budget, EvalQuestion question, Inside inside) {
    Sum sum = of(method, budget);
    long found = question.gold().keySet().stream().filter(inside.turns()::contains).count();
    sum.questions++;
    sum.share += (double) found / question.gold().size();
    sum.whole += found == question.gold().size() ? 1 : 0;
    sum.tokens += inside.tokens();
  }

  List<Integer> budgets() {
    return budgets;
  }

  int questions() {
    return of(EvidenceMethod.ASSEMBLED, budgets.getFirst()).questions;
  }

  /** In percent. */
  double share(EvidenceMethod method, int budget) {
    Sum sum = of(method, budget);
    return PERCENT * sum.share / Math.max(1, sum.questions);
  }

  private double whole(EvidenceMethod method, int budget) {
    Sum sum = of(method, budget);
    return PERCENT * sum.whole / Math.max(1, sum.questions);
  }

  private long tokens(EvidenceMethod method, int budget) {
    Sum sum = of(method, budget);
    return sum.tokens / Math.max(1, sum.questions);
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
        row.put("all_evidence", whole(method, budget));
        row.put("tokens", tokens(method, budget));
        rows.add(row);
      }
    }
    return rows;
  }

  String terminal() {
    StringBuilder text = new StringBuilder();
    line(text, "%,d questions; percentages".formatted(questions()));
    line(
        text,
        "%-22s %8s %10s %14s %8s"
            .formatted("method", "budget", "evidence", "all evidence", "tokens"));
    for (EvidenceMethod method : EvidenceMethod.values()) {
      for (int budget : budgets) {
        line(
            text,
            "%-22s %8d %10.1f %14.1f %8d"
                .formatted(
                    method.title(),
                    budget,
                    share(method, budget),
                    whole(method, budget),
                    tokens(method, budget)));
      }
    }
    return text.toString();
  }

  private static void line(StringBuilder text, String words) {
    text.append(words).append('\n');
  }
}
