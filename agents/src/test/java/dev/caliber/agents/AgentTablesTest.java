package dev.caliber.agents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Transitions;
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
final class AgentTablesTest {

  static Stream<LifeCycleMove<?, ?>> moves() {
    return Stream.of(
            LifeCycleMove.all(AgentStatus.LIFE, AgentStatus.values(), AgentStatus.Event.values()),
            LifeCycleMove.all(
                MessageState.LIFE, MessageState.values(), MessageState.Event.values()),
            LifeCycleMove.all(
                DelegationStatus.LIFE, DelegationStatus.values(), DelegationStatus.Event.values()),
            LifeCycleMove.all(
                HandoffStatus.LIFE, HandoffStatus.values(), HandoffStatus.Event.values()),
            LifeCycleMove.all(
                ConflictStatus.LIFE, ConflictStatus.values(), ConflictStatus.Event.values()))
        .flatMap(List::stream);
  }

  @ParameterizedTest
  @MethodSource("moves")
  @DisplayName("STM-08: a move in the table is made, any other is refused")
  void everyMove(LifeCycleMove<?, ?> move) {
    move.check();
  }

  private static <S extends Enum<S>, E extends Enum<E>> List<String> ways(Transitions<S, E> table) {
    return table.rows().stream().map(row -> row.from() + ">" + row.to()).toList();
  }

  @Test
  @DisplayName("STM-07: the moves of an agent, as the requirement lists them")
  void agents() {
    assertThat(ways(AgentStatus.LIFE))
        .containsExactlyInAnyOrder(
            "IDLE>ACTIVE",
            "IDLE>FAILED",
            "IDLE>IDLE",
            "ACTIVE>IDLE",
            "ACTIVE>BLOCKED",
            "ACTIVE>FAILED",
            "ACTIVE>ACTIVE",
            "BLOCKED>ACTIVE",
            "BLOCKED>IDLE",
            "BLOCKED>FAILED",
            "BLOCKED>BLOCKED",
            "FAILED>IDLE",
            "FAILED>FAILED");
  }

  @Test
  @DisplayName("STM-04: the moves of delegated work, as the requirement lists them")
  void delegations() {
    assertThat(ways(DelegationStatus.LIFE))
        .containsExactlyInAnyOrder(
            "PENDING>ACCEPTED",
            "PENDING>REJECTED",
            "PENDING>PENDING",
            "ACCEPTED>IN_PROGRESS",
            "ACCEPTED>FAILED",
            "ACCEPTED>ACCEPTED",
            "IN_PROGRESS>COMPLETED",
            "IN_PROGRESS>FAILED",
            "IN_PROGRESS>IN_PROGRESS");
    assertThat(DelegationStatus.LIFE.terminal())
        .containsExactlyInAnyOrder(
            DelegationStatus.REJECTED, DelegationStatus.COMPLETED, DelegationStatus.FAILED);
  }

  @Test
  @DisplayName("STM-05: the moves of a handoff, as the requirement lists them")
  void handoffs() {
    assertThat(ways(HandoffStatus.LIFE))
        .containsExactlyInAnyOrder(
            "INITIATED>ACCEPTED",
            "INITIATED>REJECTED",
            "INITIATED>INITIATED",
            "ACCEPTED>COMPLETED",
            "ACCEPTED>ACCEPTED");
    assertThat(HandoffStatus.LIFE.terminal())
        .containsExactlyInAnyOrder(HandoffStatus.REJECTED, HandoffStatus.COMPLETED);
  }

  @Test
  @DisplayName("STM-06: the moves of a conflict, as the requirement lists them")
  void conflicts() {
    assertThat(ways(ConflictStatus.LIFE))
        .containsExactlyInAnyOrder(
            "DETECTED>RESOLVING",
            "DETECTED>RESOLVED",
            "DETECTED>ESCALATED",
            "DETECTED>DETECTED",
            "RESOLVING>RESOLVED",
            "RESOLVING>ESCALATED",
            "RESOLVING>RESOLVING",
            "ESCALATED>RESOLVED",
            "ESCALATED>ESCALATED");
    assertThat(ConflictStatus.LIFE.terminal()).containsExactly(ConflictStatus.RESOLVED);
  }

  @Test
  void theDiagramsOfTheDocumentationAreThoseOfTheTables() throws IOException {
    String page =
        Files.readString(
            Path.of(Objects.requireNonNull(System.getProperty("caliber.root")))
                .resolve("docs/agents.md"));
    assertThat(page)
        .contains(AgentStatus.LIFE.mermaid())
        .contains(MessageState.LIFE.mermaid())
        .contains(DelegationStatus.LIFE.mermaid())
        .contains(HandoffStatus.LIFE.mermaid())
        .contains(ConflictStatus.LIFE.mermaid());
  }
}
