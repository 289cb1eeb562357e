package dev.caliber.bench.eval;

import dev.caliber.memory.command.RecallFilter;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Scores of answers to questions with one right record each. */
record TrustScores(List<TrustAnswer> answers) {

  static final int DEPTH = 50;

  private static final int[] DEPTHS = {1, 5, 10};
  private static final int TOP = 10;

  TrustScores {
    answers = List.copyOf(answers);
  }

  /** Constraints of recall beside the query. */
  enum TrustQueryConstraint {
    SUBJECT("subject given"),
    NOTHING("no subject given"),
    SUBJECT_AND_KIND("subject and kind given");

    private final String title;

    TrustQueryConstraint(String title) {
      this.title = title;
    }

    String title() {
      return title;
    }

    private RecallFilter filter(TrustQuestion question) {
      return switch (this) {
        case SUBJECT -> RecallFilter.ofSubject(question.subject());
        case NOTHING -> RecallFilter.any();
        case SUBJECT_AND_KIND ->
            RecallFilter.ofSubject(question.subject()).withTypes(question.kind());
      };
    }
  }

  static TrustScores ask(
      SubjectStore store,
      List<TrustQuestion> questions,
      TrustQueryConstraint trustQueryConstraint) {
    return new TrustScores(
        questions.stream()
            .map(
                question ->
                    new TrustAnswer(
                        question,
                        store.recall(
                            question.query(), trustQueryConstraint.filter(question), DEPTH)))
            .toList());
  }

  /** Returns the share of questions whose answer is in the first k. */
  double recall(int k) {
    return foundShare(answers, k);
  }

  private static double foundShare(List<TrustAnswer> some, int k) {
    return some.stream().mapToDouble(answer -> answer.isWithin(k) ? 1 : 0).average().orElse(0);
  }

  private static double reciprocalRank(List<TrustAnswer> some) {
    return some.stream()
        .mapToDouble(answer -> answer.rank().isPresent() ? 1.0 / answer.rank().getAsInt() : 0)
        .average()
        .orElse(0);
  }

  /** Returns the answers that are not among the first k. */
  List<TrustAnswer> missedAnswers(int k) {
    return answers.stream().filter(answer -> !answer.isWithin(k)).toList();
  }

  /** Adds one row for all, and one for each kind of answer. */
  EvalTable addTo(EvalTable table, String title) {
    table.add("%s (%d)".formatted(title, answers.size()), figures(answers));
    answers.stream()
        .collect(
            Collectors.groupingBy(
                answer -> answer.question().kind(), TreeMap::new, Collectors.toList()))
        .forEach(
            (kind, some) ->
                table.add(
                    "  answer in: %s (%d)".formatted(kind.lowerCaseName(), some.size()),
                    figures(some)));
    return table;
  }

  private static List<Double> figures(List<TrustAnswer> some) {
    return Stream.concat(
            IntStream.of(DEPTHS).mapToObj(k -> foundShare(some, k)),
            Stream.of(reciprocalRank(some), foreignShare(some)))
        .toList();
  }

  private static double foreignShare(List<TrustAnswer> some) {
    long hits = some.stream().mapToLong(answer -> Math.min(TOP, answer.hits().size())).sum();
    long foreign = some.stream().mapToLong(answer -> answer.foreignHits(TOP)).sum();
    return (double) foreign / Math.max(1, hits);
  }
}
