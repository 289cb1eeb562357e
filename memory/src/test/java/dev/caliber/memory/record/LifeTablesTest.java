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

/** Tests of every transition in the life-cycle tables, and of every one that is in none. */
final class LifeTablesTest {

  static Stream<LifeCycleMove<?, ?>> moves() {
    return Stream.of(
            LifeCycleMove.allMoves(
                TrajectoryStatus.LIFE,
                TrajectoryStatus.values(),
                TrajectoryStatus.TrajectoryTransition.values()),
            LifeCycleMove.allMoves(
                ScopeStatus.LIFE, ScopeStatus.values(), ScopeStatus.ScopeTransition.values()),
            LifeCycleMove.allMoves(
                PolicyRunState.LIFE,
                PolicyRunState.values(),
                PolicyRunState.PolicyRunTransition.values()))
        .flatMap(List::stream);
  }

  @ParameterizedTest
  @MethodSource("moves")
  @DisplayName("STM-01, STM-02, STM-03: a transition in the table succeeds, any other is refused")
  void everyMove(LifeCycleMove<?, ?> move) {
    move.check();
  }

  @Test
  @DisplayName("STM-02: only completed and failed trajectories are terminal")
  void terminalStates() {
    assertThat(TrajectoryStatus.values())
        .filteredOn(TrajectoryStatus::isTerminal)
        .containsExactly(TrajectoryStatus.COMPLETED, TrajectoryStatus.FAILED);
    assertThat(ScopeStatus.LIFE.terminal()).containsExactly(ScopeStatus.CLOSED);
    assertThat(PolicyRunState.LIFE.terminal()).containsExactly(PolicyRunState.DONE);
  }

  @Test
  @DisplayName("STM-01: the seven transitions of a trajectory, as the requirement lists them")
  void theTableOfTrajectories() {
    assertThat(TrajectoryStatus.LIFE.rows())
        .extracting(transitionRow -> transitionRow.from() + ">" + transitionRow.to())
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
        .filteredOn(
            outcome -> outcome.transition() == TrajectoryStatus.TrajectoryTransition.COMPLETE)
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
        .contains(PolicyRunState.LIFE.mermaid());
  }
}
