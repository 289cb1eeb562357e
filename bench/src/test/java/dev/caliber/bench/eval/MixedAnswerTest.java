package dev.caliber.bench.eval;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.bench.eval.MixedScores.MixedRun;
import dev.caliber.memory.record.EntityType;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests of figures of recall where several subjects share a space. */
class MixedAnswerTest {

  private static final EvalQuestion QUESTION =
      EvalQuestion.of("q1", "Who fished?", "4", List.of("D1:1", "D1:2"));

  private static SubjectHit hit(EntityType kind, String subject, int tokens, String... turns) {
    return new SubjectHit(kind, "id", subject, "text", 1, tokens, Set.of(turns));
  }

  private static MixedAnswer answer(SubjectHit... hits) {
    return new MixedAnswer("ann", QUESTION, List.of(hits));
  }

  @Test
  void aNoteCountsForTheTurnsItComesFromAndEachTurnOnce() {
    MixedAnswer answer =
        answer(
            hit(EntityType.TURN, "ann", 10, "D1:1"),
            hit(EntityType.NOTE, "ann", 5, "D1:1"),
            hit(EntityType.NOTE, "ann", 7, "D1:1", "D1:2"));
    assertThat(answer.recall(1)).isEqualTo(0.5);
    assertThat(answer.recall(2)).isEqualTo(0.5);
    assertThat(answer.recall(3)).isEqualTo(1);
  }

  @Test
  void aTurnOfAnotherSubjectWithTheNameOfAnEvidenceTurnIsForeign() {
    MixedAnswer answer =
        answer(hit(EntityType.TURN, "bob", 10, "D1:1"), hit(EntityType.TURN, "ann", 10, "D1:2"));
    assertThat(answer.recall(1)).isZero();
    assertThat(answer.recall(2)).isEqualTo(0.5);
    assertThat(answer.foreignHits(10)).isEqualTo(1);
    assertThat(answer.foreignHits(1)).isEqualTo(1);
  }

  @Test
  void tokensAreThoseOfAllHitsUpToTheEvidence() {
    MixedAnswer answer =
        answer(
            hit(EntityType.TURN, "ann", 10, "D9:9"),
            hit(EntityType.TURN, "ann", 20, "D1:1"),
            hit(EntityType.TURN, "bob", 30, "D1:2"),
            hit(EntityType.NOTE, "ann", 5, "D1:2"),
            hit(EntityType.TURN, "ann", 40, "D1:2"));
    assertThat(answer.tokensUntilFirst()).hasValue(30);
    assertThat(answer.tokensUntilAll()).hasValue(65);
    assertThat(answer.recallWithin(29)).isZero();
    assertThat(answer.recallWithin(30)).isEqualTo(0.5);
    assertThat(answer.recallWithin(65)).isEqualTo(1);
    assertThat(answer(hit(EntityType.TURN, "ann", 1, "D9:9")).tokensUntilFirst()).isEmpty();
    assertThat(answer().tokensUntilAll()).isEmpty();
  }

  @Test
  void aQuestionWithoutEvidenceCountsAsAnsweredAndHasNoTokens() {
    EvalQuestion nothing = EvalQuestion.of("q2", "Who sang?", "5", List.of());
    MixedAnswer answer =
        new MixedAnswer("ann", nothing, List.of(hit(EntityType.TURN, "ann", 10, "D1:1")));
    assertThat(answer.recall(1)).isEqualTo(1);
    assertThat(answer.tokensUntilFirst()).isEmpty();
  }

  @Test
  void tablesHaveSharesAndCounts() {
    MixedAnswer near = answer(hit(EntityType.NOTE, "ann", 10, "D1:1", "D1:2"));
    MixedAnswer far =
        answer(hit(EntityType.TURN, "bob", 30), hit(EntityType.TURN, "ann", 70, "D1:1"));
    List<EvalTable> tables = new MixedScores(Map.of(MixedRun.DEFAULT, List.of(near, far))).tables();
    assertThat(tables.getFirst().terminalText())
        .containsPattern("all kinds, subject given +50.00 +75.00 +75.00 +33.33");
    assertThat(tables.get(1).terminalText()).containsPattern("category 4 \\(2\\) +50.00 +75.00");
    assertThat(tables.get(2).terminalText())
        .containsPattern("all kinds, subject given +55.0 +55.0 +55.0 +55.0 +55.0");
    assertThat(tables.get(3).terminalText())
        .containsPattern("all kinds, subject given +75.00 +75.00 +75.00 +75.00");
  }
}
