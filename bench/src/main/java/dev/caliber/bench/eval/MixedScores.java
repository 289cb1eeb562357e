package dev.caliber.bench.eval;

import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Turns answers about several subjects in one space into tables. */
final class MixedScores {

  static final int DEPTH = 50;

  private static final int[] DEPTHS = {1, 5, 10};
  private static final int[] TOKENS = {125, 250, 500, 1000};
  private static final int TOP = 10;

  private final Map<MixedRun, List<MixedAnswer>> answers;

  /**
   * One way to ask all questions.
   *
   * @param named whether the subject is given
   */
  record MixedRun(boolean named, RecalledKinds kinds) implements Comparable<MixedRun> {

    static final MixedRun DEFAULT = new MixedRun(true, RecalledKinds.ALL);

    static List<MixedRun> all() {
      return Stream.of(true, false)
          .flatMap(
              named -> Stream.of(RecalledKinds.values()).map(kinds -> new MixedRun(named, kinds)))
          .toList();
    }

    String title() {
      return kinds.title() + (named ? ", subject given" : ", no subject given");
    }

    @Override
    public int compareTo(MixedRun other) {
      return Integer.compare(all().indexOf(this), all().indexOf(other));
    }
  }

  /**
   * @param answers to the same questions, by the way they were asked
   */
  MixedScores(Map<MixedRun, List<MixedAnswer>> answers) {
    this.answers = new TreeMap<>(answers);
  }

  List<EvalTable> tables() {
    return List.of(evidenceTable(), partsTable(), tokensTable(), withinBudgetTable());
  }

  private EvalTable evidenceTable() {
    EvalTable table =
        EvalTable.of(
            "Evidence",
            "Share of evidence turns that the top k are or come from (a question without evidence"
                + " counts 1); share of other subjects' records in the top ten.",
            "R@1",
            "R@5",
            "R@10",
            "foreign");
    answers.forEach(
        (run, all) ->
            table.add(
                run.title(),
                Stream.concat(recalls(all).stream(), Stream.of(foreignShare(all))).toList()));
    return table;
  }

  private static List<Double> recalls(List<MixedAnswer> some) {
    return IntStream.of(DEPTHS).mapToObj(k -> mean(some, answer -> answer.recall(k))).toList();
  }

  private static double foreignShare(List<MixedAnswer> all) {
    long hits = all.stream().mapToLong(answer -> Math.min(TOP, answer.hits().size())).sum();
    long foreign = all.stream().mapToLong(answer -> answer.foreignHits(TOP)).sum();
    return (double) foreign / Math.max(1, hits);
  }

  private static double mean(List<MixedAnswer> some, ToDoubleFunction<MixedAnswer> value) {
    return some.stream().mapToDouble(value).average().orElse(0);
  }

  private EvalTable partsTable() {
    EvalTable table =
        EvalTable.of("Parts", "As above, " + MixedRun.DEFAULT.title() + ".", "R@1", "R@5", "R@10");
    addRows(answer -> answer.question().category(), "category", table);
    addRows(MixedAnswer::subject, "subject", table);
    return table;
  }

  private void addRows(Function<MixedAnswer, String> key, String name, EvalTable table) {
    answers.getOrDefault(MixedRun.DEFAULT, List.of()).stream()
        .collect(Collectors.groupingBy(key, TreeMap::new, Collectors.toList()))
        .forEach(
            (value, some) ->
                table.add("  %s %s (%d)".formatted(name, value, some.size()), recalls(some)));
  }

  private EvalTable tokensTable() {
    EvalTable table =
        EvalTable.ofCounts(
            "Tokens until the evidence is in",
            ("Tokens of the hits' texts from the first hit on: up to the first with evidence, and"
                    + " up to the one with which all evidence of the top %d is in; over questions"
                    + " with evidence there. Then tokens of the top ten.")
                .formatted(DEPTH),
            "first",
            "median",
            "all",
            "median",
            "top ten");
    answers.forEach((run, all) -> table.add(run.title(), tokenFigures(all)));
    return table;
  }

  private static List<Double> tokenFigures(List<MixedAnswer> all) {
    List<Integer> first = knownValues(all, MixedAnswer::tokensUntilFirst);
    List<Integer> last = knownValues(all, MixedAnswer::tokensUntilAll);
    return List.of(
        mean(first),
        median(first),
        mean(last),
        median(last),
        mean(all, each -> each.tokensOfFirst(TOP)));
  }

  private static List<Integer> knownValues(
      List<MixedAnswer> all, Function<MixedAnswer, OptionalInt> tokens) {
    return all.stream()
        .map(tokens)
        .filter(OptionalInt::isPresent)
        .map(OptionalInt::getAsInt)
        .sorted()
        .toList();
  }

  private static double mean(List<Integer> values) {
    return values.stream().mapToInt(value -> value).average().orElse(0);
  }

  /** Returns the median of sorted values. */
  private static double median(List<Integer> sorted) {
    if (sorted.isEmpty()) {
      return 0;
    }
    int size = sorted.size();
    return (sorted.get((size - 1) / 2) + sorted.get(size / 2)) / 2.0;
  }

  private EvalTable withinBudgetTable() {
    EvalTable table =
        EvalTable.of(
            "Evidence by tokens",
            "Share of evidence turns in the hits that fit into a number of tokens.",
            IntStream.of(TOKENS).mapToObj(Integer::toString).toArray(String[]::new));
    answers.forEach(
        (run, all) ->
            table.add(
                run.title(),
                IntStream.of(TOKENS)
                    .mapToObj(tokens -> mean(all, answer -> answer.recallWithin(tokens)))
                    .toList()));
    return table;
  }
}
