package dev.caliber.bench.eval;

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
      case LOCOMO -> PublishedFigures.addLocomoFigures(conversationTables());
      case REALTALK -> conversationTables();
      case BEAM ->
          PublishedFigures.addBeamFigures(
              List.of(beamTable(), beamCategoriesTable(), contradictionsTable()));
      case CACM -> PublishedFigures.addCacmFigures(List.of(cacmTable()));
      case BEIR -> List.of(beirTable());
      case HOTPOT -> List.of(hotpotTable());
    };
  }

  private List<EvalTable> conversationTables() {
    return List.of(turnsTable(), omittedTable(), lmebTable(), sessionsTable());
  }

  private EvalTable turnsTable() {
    EvalTable table =
        EvalTable.of(
            "Turns",
            "Share of evidence turns in the top k, mean over all questions; a question without"
                + " evidence counts 1.",
            "R@5",
            "R@10",
            "R@25",
            "R@50");
    answers.forEach((mode, all) -> table.add(mode.title(), recalls(all)));
    addRows(EvalAnswer::corpus, "conversation", table);
    addRows(answer -> answer.question().category(), "category", table);
    return table;
  }

  private void addRows(Function<EvalAnswer, String> key, String name, EvalTable table) {
    answersOfFullestMode()
        .collect(Collectors.groupingBy(key, TreeMap::new, Collectors.toList()))
        .forEach(
            (value, some) ->
                table.add("  %s %s (%d)".formatted(name, value, some.size()), recalls(some)));
  }

  /** Returns the answers of the mode with the most channels. */
  private Stream<EvalAnswer> answersOfFullestMode() {
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

  private EvalTable omittedTable() {
    EvalTable table =
        EvalTable.of(
            "Each conversation left out",
            "The same figures over all conversations but one: the influence of each.",
            "R@5",
            "R@10",
            "R@25",
            "R@50");
    answersOfFullestMode()
        .map(EvalAnswer::corpus)
        .distinct()
        .forEach(
            corpus ->
                table.add(
                    "  without " + corpus,
                    recalls(
                        answersOfFullestMode()
                            .filter(answer -> !answer.corpus().equals(corpus))
                            .toList())));
    return table;
  }

  private EvalTable lmebTable() {
    EvalTable table =
        EvalTable.of(
            "LMEB-like",
            "Questions with evidence, mean of each category, then the mean of the categories.",
            "NDCG@10",
            "R@10");
    answers.forEach(
        (mode, all) -> table.add(mode.title(), meansByCategory(withGold(all.stream()))));
    withGold(answersOfFullestMode()).stream()
        .collect(
            Collectors.groupingBy(
                answer -> answer.question().category(), TreeMap::new, Collectors.toList()))
        .forEach((category, some) -> table.add("  category " + category, ndcgAndRecall(some)));
    return table;
  }

  private static List<EvalAnswer> withGold(Stream<EvalAnswer> some) {
    return some.filter(answer -> answer.question().hasGold()).toList();
  }

  private static List<Double> meansByCategory(List<EvalAnswer> some) {
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
    return RankMetrics.ndcg(answer.documentIds(), answer.question().gold(), k);
  }

  private EvalTable sessionsTable() {
    EvalTable table =
        EvalTable.of(
            "Sessions",
            "The unit is a session, ranked by the best of its turns; questions with evidence.",
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

  private EvalTable beamTable() {
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

  private EvalTable beamCategoriesTable() {
    EvalTable table = EvalTable.of("Messages by kind of question", "As above.", "R@10", "R@50");
    withGold(answersOfFullestMode()).stream()
        .collect(
            Collectors.groupingBy(a -> a.question().category(), TreeMap::new, Collectors.toList()))
        .forEach((category, some) -> table.add("  " + category, beamFigures(some)));
    return table;
  }

  private EvalTable contradictionsTable() {
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
    List<String> top = answer.documentIds().stream().limit(k).toList();
    return answer.question().sides().stream()
        .allMatch(side -> side.stream().anyMatch(top::contains));
  }

  private EvalTable cacmTable() {
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
                    mean(all, a -> RankMetrics.averagePrecision(a.documentIds(), gold(a))),
                    mean(all, a -> RankMetrics.precision(a.documentIds(), gold(a), 30)))));
    return table;
  }

  private static java.util.Set<String> gold(EvalAnswer answer) {
    return answer.question().gold().keySet();
  }

  private EvalTable beirTable() {
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

  private EvalTable hotpotTable() {
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
