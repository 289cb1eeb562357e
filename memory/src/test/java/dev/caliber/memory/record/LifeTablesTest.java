package dev.caliber.memory.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.testkit.LifeCycleMove;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every row of every life cycle, and everything that is in none. */
final class LifeTablesTest {

  static Stream<LifeCycleMove<?, ?>> moves() {
    return Stream.of(
            LifeCycleMove.all(
                TrajectoryStatus.LIFE, TrajectoryStatus.values(), TrajectoryStatus.Event.values()),
            LifeCycleMove.all(ScopeStatus.LIFE, ScopeStatus.values(), ScopeStatus.Event.values()),
            LifeCycleMove.all(RunState.LIFE, RunState.values(), RunState.Event.values()))
        .flatMap(List::stream);
  }

  @ParameterizedTest
  @MethodSource("moves")
  @DisplayName("STM-01, STM-02, STM-03: a move in the table is made, any other is refused")
  void everyMove(LifeCycleMove<?, ?> move) {
    move.check();
  }

  @Test
  @DisplayName("STM-02: only completed and failed trajectories are at their end")
  void terminalStates() {
    assertThat(TrajectoryStatus.values())
        .filteredOn(TrajectoryStatus::isTerminal)
        .containsExactly(TrajectoryStatus.COMPLETED, TrajectoryStatus.FAILED);
    assertThat(ScopeStatus.LIFE.terminal()).containsExactly(ScopeStatus.CLOSED);
    assertThat(RunState.LIFE.terminal()).containsExactly(RunState.DONE);
  }

  @Test
  @DisplayName("STM-01: the seven moves of a trajectory, as the requirement lists them")
  void theTableOfTrajectories() {
    assertThat(TrajectoryStatus.LIFE.rows())
        .extracting(row -> row.from() + ">" + row.to())
        .containsExactlyInAnyOrder(
            "ACTIVE>COMPLETED",
            "ACTIVE>FAILED",
            "ACTIVE>SUSPENDED",
            "ACTIVE>ACTIVE",
            "SUSPENDED>ACTIVE",
            "SUSPENDED>FAILED",
            "SUSPENDED>SUSPENDED");
  }

  @Test
  void outcomesMapToMoves() {
    assertThat(OutcomeStatus.values())
        .filteredOn(outcome -> outcome.event() == TrajectoryStatus.Event.COMPLETE)
        .containsExactly(OutcomeStatus.SUCCESS, OutcomeStatus.PARTIAL);
  }

  @Test
  void theDiagramsOfTheDocumentationAreThoseOfTheTables() throws IOException {
    String page =
        Files.readString(
            Path.of(Objects.requireNonNull(System.getProperty("caliber.root")))
                .resolve("docs/memory.md"));
    assertThat(page)
        .contains(TrajectoryStatus.LIFE.mermaid())
        .contains(ScopeStatus.LIFE.mermaid())
        .contains(RunState.LIFE.mermaid());
  }
}
