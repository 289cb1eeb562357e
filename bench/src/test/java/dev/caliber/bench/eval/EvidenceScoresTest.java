package dev.caliber.bench.eval;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests of shares of evidence, and of the curve that shows them. */
class EvidenceScoresTest {

  private static EvidenceScores scores() {
    EvidenceScores scores = new EvidenceScores(List.of(500, 1000));
    EvalQuestion both = EvalQuestion.of("q1", "Who?", "", List.of("D1:1", "D1:2"));
    EvalQuestion one = EvalQuestion.of("q2", "When?", "", List.of("D2:1"));
    for (EvidenceMethod method : EvidenceMethod.values()) {
      scores.add(method, 500, both, new EvidenceScores.WindowEvidence(Set.of("D1:1", "D9:9"), 480));
      scores.add(method, 500, one, new EvidenceScores.WindowEvidence(Set.of(), 490));
      scores.add(
          method, 1000, both, new EvidenceScores.WindowEvidence(Set.of("D1:1", "D1:2"), 900));
      scores.add(method, 1000, one, new EvidenceScores.WindowEvidence(Set.of("D2:1"), 1000));
    }
    return scores;
  }

  @Test
  void everyQuestionCountsTheSame() {
    EvidenceScores scores = scores();
    assertThat(scores.questions()).isEqualTo(2);
    assertThat(scores.share(EvidenceMethod.ASSEMBLED, 500)).isEqualTo(25.0);
    assertThat(scores.share(EvidenceMethod.ASSEMBLED, 1000)).isEqualTo(100.0);
    assertThat(scores.terminalText()).contains("2 questions", "25.0", "485");
    assertThat(scores.rows()).hasSize(6);
  }

  @Test
  void theCurveHasAPointForEachFigure() {
    String svg = EvidenceCurve.toSvg(scores(), "the command");
    assertThat(svg).startsWith("<svg").endsWith("</svg>\n").contains("the command", ">25.0<");
    assertThat(svg.split("<circle", -1)).hasSize(7);
    assertThat(svg.split("<polyline", -1)).hasSize(4);
  }
}
