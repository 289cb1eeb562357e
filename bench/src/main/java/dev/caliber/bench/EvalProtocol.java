package dev.caliber.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Turns answers into the tables of a format's protocols. Figures are percentages. */
final class EvalProtocol {

  static final int DEPTH = 100;
  static final int TREC_DEPTH = 1000;

  private static final int[] TURN_DEPTHS = {5, 10, 25, 50};

  private final Map<EvalMode, List<EvalAnswer>> answers;

  /**
   * @param answers the same questions, in each mode
   */
  EvalProtocol(Map<EvalMode, List<EvalAnswer>> answers) {
    this.answers = new TreeMap<>(answers);
  }

  List<EvalTable> tables(EvalFormat format) {
    return switch (format) {
      case LOCOMO -> PublishedFigures.beside(conversations());
      case REALTALK -> conversations();
      case BEAM -> PublishedFigures.besideBeam(List.of(beam(), beamCategories(), contradictions()));
      case CACM -> PublishedFigures.besideCacm(List.of(cacm()));
      case BEIR -> List.of(beir());
      case HOTPOT -> List.of(hotpot());
    };
  }

  private List<EvalTable> conversations() {
    return List.of(turns(), leftOut(), lmeb(), sessions());
  }

  private EvalTable turns() {
    EvalTable table =
        EvalTable.of(
            "Turns",
            "Share of evidence turns in the top k, mean over all questions; one without evidence"
                + " counts 1.",
            "R@5",
            "R@10",
            "R@25",
            "R@50");
    answers.forEach((mode, all) -> table.add(mode.title(), recalls(all)));
    each(EvalAnswer::corpus, "conversation", table);
    each(answer -> answer.question().category(), "category", table);
    return table;
  }

  private void each(Function<EvalAnswer, String> key, String name, EvalTable table) {
    best()
        .collect(Collectors.groupingBy(key, TreeMap::new, Collectors.toList()))
        .forEach(
            (value, some) ->
                table.add("  %s %s (%d)".formatted(name, value, some.size()), recalls(some)));
  }

  /** The answers of the fullest mode there is. */
  private Stream<EvalAnswer> best() {
    return answers
        .getOrDefault(EvalMode.HYBRID, answers.getOrDefault(EvalMode.LEXICAL, List.of()))
        .stream();
  }

  private static List<Double> recalls(List<EvalAnswer> some) {
    return IntStream.of(TURN_DEPTHS)
        .mapToObj(k -> mean(some, answer -> recallOrOne(answer, k)))
        .toList();
  }

  private static double recallOrOne(EvalAnswer answer, int k) {
    return answer.question().hasGold() ? answer.recall(k) : 1;
  }

  private static double mean(List<EvalAnswer> some, ToDoubleFunction<EvalAnswer> value) {
    return some.stream().mapToDouble(value).average().orElse(0);
  }

  private EvalTable leftOut() {
    EvalTable table =
        EvalTable.of(
            "Each conversation left out",
            "The same, over all conversations but one: how much one of them carries.",
            "R@5",
            "R@10",
            "R@25",
            "R@50");
    best()
        .map(EvalAnswer::corpus)
        .distinct()
        .forEach(
            corpus ->
                table.add(
                    "  without " + corpus,
                    recalls(best().filter(answer -> !answer.corpus().equals(corpus)).toList())));
    return table;
  }

  private EvalTable lmeb() {
    EvalTable table =
        EvalTable.of(
            "LMEB-like",
            "Questions with evidence, mean of each category, then the mean of the categories.",
            "NDCG@10",
            "R@10");
    answers.forEach((mode, all) -> table.add(mode.title(), byCategory(withGold(all.stream()))));
    withGold(best()).stream()
        .collect(
            Collectors.groupingBy(
                answer -> answer.question().category(), TreeMap::new, Collectors.toList()))
        .forEach((category, some) -> table.add("  category " + category, ndcgAndRecall(some)));
    return table;
  }

  private static List<EvalAnswer> withGold(Stream<EvalAnswer> some) {
    return some.filter(answer -> answer.question().hasGold()).toList();
  }

  private static List<Double> byCategory(List<EvalAnswer> some) {
    List<List<Double>> categories =
        some.stream()
            .collect(Collectors.groupingBy(answer -> answer.question().category()))
            .values()
            .stream()
            .map(EvalProtocol::ndcgAndRecall)
            .toList();
    return List.of(meanOf(categories, 0), meanOf(categories, 1));
  }

  private static double meanOf(List<List<Double>> rows, int column) {
    return rows.stream().mapToDouble(row -> row.get(column)).average().orElse(0);
  }

  private static List<Double> ndcgAndRecall(List<EvalAnswer> some) {
    return List.of(mean(some, answer -> ndcg(answer, 10)), mean(some, answer -> answer.recall(10)));
  }

  private static double ndcg(EvalAnswer answer, int k) {
    return RankMetrics.ndcg(answer.ids(), answer.question().gold(), k);
  }

  private EvalTable sessions() {
    EvalTable table =
        EvalTable.of(
            "Sessions",
            "Unit is a session, ranked by the best of its turns; questions with evidence.",
            "Hit@1",
            "R@5",
            "R@10",
            "NDCG@5");
    answers.forEach((mode, all) -> table.add(mode.title(), sessionFigures(withGold(all.stream()))));
    return table;
  }

  private static List<Double> sessionFigures(List<EvalAnswer> some) {
    return List.of(
        mean(some, a -> RankMetrics.hitAt1(a.sessions(), goldSessions(a).keySet())),
        mean(some, a -> RankMetrics.recall(a.sessions(), goldSessions(a).keySet(), 5)),
        mean(some, a -> RankMetrics.recall(a.sessions(), goldSessions(a).keySet(), 10)),
        mean(some, a -> RankMetrics.ndcg(a.sessions(), goldSessions(a), 5)));
  }

  private static Map<String, Integer> goldSessions(EvalAnswer answer) {
    return answer.question().gold().keySet().stream()
        .map(TurnIds::session)
        .distinct()
        .collect(Collectors.toMap(session -> session, _ -> 1));
  }

  private EvalTable beam() {
    EvalTable table =
        EvalTable.of(
            "Messages",
            "Share of source messages in the top k, mean over questions that have some.",
            "R@10",
            "R@50");
    answers.forEach((mode, all) -> table.add(mode.title(), beamFigures(withGold(all.stream()))));
    return table;
  }

  private static List<Double> beamFigures(List<EvalAnswer> some) {
    return List.of(mean(some, a -> a.recall(10)), mean(some, a -> a.recall(50)));
  }

  private EvalTable beamCategories() {
    EvalTable table = EvalTable.of("Messages by kind of question", "As above.", "R@10", "R@50");
    withGold(best()).stream()
        .collect(
            Collectors.groupingBy(a -> a.question().category(), TreeMap::new, Collectors.toList()))
        .forEach((category, some) -> table.add("  " + category, beamFigures(some)));
    return table;
  }

  private EvalTable contradictions() {
    EvalTable table =
        EvalTable.of(
            "Contradictions",
            "Share of contradiction questions with all messages of both sides in the top ten, and"
                + " with one of each side.",
            "all",
            "one each");
    answers.forEach((mode, all) -> table.add(mode.title(), sideFigures(all)));
    return table;
  }

  private static List<Double> sideFigures(List<EvalAnswer> all) {
    List<EvalAnswer> some =
        all.stream()
            .filter(a -> a.question().category().equals("contradiction_resolution"))
            .toList();
    return List.of(
        mean(some, a -> a.recall(10) == 1 ? 1 : 0), mean(some, a -> hasEachSide(a, 10) ? 1 : 0));
  }

  private static boolean hasEachSide(EvalAnswer answer, int k) {
    List<String> top = answer.ids().stream().limit(k).toList();
    return answer.question().sides().stream()
        .allMatch(side -> side.stream().anyMatch(top::contains));
  }

  private EvalTable cacm() {
    EvalTable table =
        EvalTable.of(
            "Abstracts",
            "trec_eval's definitions over the first thousand, 52 topics.",
            "MAP",
            "P30");
    answers.forEach(
        (mode, all) ->
            table.add(
                mode.title(),
                List.of(
                    mean(all, a -> RankMetrics.averagePrecision(a.ids(), gold(a))),
                    mean(all, a -> RankMetrics.precision(a.ids(), gold(a), 30)))));
    return table;
  }

  private static java.util.Set<String> gold(EvalAnswer answer) {
    return answer.question().gold().keySet();
  }

  private EvalTable beir() {
    EvalTable table =
        EvalTable.of(
            "Passages", "trec_eval's definitions; graded gain.", "NDCG@10", "R@10", "R@100");
    answers.forEach(
        (mode, all) ->
            table.add(
                mode.title(),
                List.of(
                    mean(all, a -> ndcg(a, 10)),
                    mean(all, a -> a.recall(10)),
                    mean(all, a -> a.recall(100)))));
    return table;
  }

  private EvalTable hotpot() {
    EvalTable table =
        EvalTable.of(
            "Paragraphs",
            "Share of supporting paragraphs in the top k of one corpus.",
            "R@2",
            "R@5",
            "R@10",
            "NDCG@10");
    answers.forEach(
        (mode, all) -> {
          List<EvalAnswer> some = withGold(all.stream());
          List<Double> values = new ArrayList<>();
          IntStream.of(2, 5, 10).forEach(k -> values.add(mean(some, a -> a.recall(k))));
          values.add(mean(some, a -> ndcg(a, 10)));
          table.add(mode.title(), values);
        });
    return table;
  }
}
