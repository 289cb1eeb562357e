package dev.caliber.memory.context.candidate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.TrajectoryStatus;
import dev.caliber.memory.record.TurnTotals;
import dev.caliber.memory.spi.Summary;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

final class BodiesTest {
  private static final Id ID = Id.derivedFrom("test", "bodies");
  private static final Summary WHOLE =
      new Summary("extractive", List.of(new Summary.SummarySentence("It was mended.", ID)));
  private static final Summary PART =
      WHOLE.withExtent(Optional.of(new Summary.SummaryExtent("turns", 2000, 5310)));

  private static Trajectory task() {
    return new Trajectory(
        ID,
        "Mend it",
        "",
        TrajectoryStatus.ACTIVE,
        EntityRef.agent("planner"),
        List.of(),
        Optional.empty(),
        TurnTotals.ZERO,
        Optional.empty(),
        Optional.empty(),
        Labels.none(),
        Instant.EPOCH,
        Instant.EPOCH,
        Optional.empty());
  }

  @Test
  @DisplayName("CTX-04: what a window shows of a summary says when it is of a part only")
  void aSummaryOfAPartSaysSo() {
    Scope scope = Scope.opened(ID, task(), 0, Instant.EPOCH);
    assertThat(
            RecordBodyFactory.bodyOf(scope.withSummary(Optional.of(WHOLE)))
                .orElseThrow()
                .plainText())
        .isEqualTo("It was mended.");
    assertThat(
            RecordBodyFactory.bodyOf(scope.withSummary(Optional.of(PART)))
                .orElseThrow()
                .plainText())
        .isEqualTo("It was mended. [of the newest 2000 of 5310 turns]");
    assertThat(RecordBodyFactory.bodyOf(task().withSummary(Optional.of(PART))).plainText())
        .isEqualTo("Mend it\nIt was mended. [of the newest 2000 of 5310 turns]");
  }
}
