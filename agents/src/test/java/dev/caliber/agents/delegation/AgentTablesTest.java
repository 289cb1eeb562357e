package dev.caliber.agents.delegation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.agents.conflict.ConflictStatus;
import dev.caliber.agents.mail.MessageState;
import dev.caliber.agents.registry.AgentStatus;
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

/** Every row of every life cycle, and every transition that is in none. */
final class AgentTablesTest {

  static Stream<LifeCycleMove<?, ?>> moves() {
    return Stream.of(
            LifeCycleMove.allMoves(
                AgentStatus.LIFE, AgentStatus.values(), AgentStatus.AgentTransition.values()),
            LifeCycleMove.allMoves(
                MessageState.LIFE, MessageState.values(), MessageState.MessageTransition.values()),
            LifeCycleMove.allMoves(
                DelegationStatus.LIFE,
                DelegationStatus.values(),
                DelegationStatus.DelegationTransition.values()),
            LifeCycleMove.allMoves(
                HandoffStatus.LIFE,
                HandoffStatus.values(),
                HandoffStatus.HandoffTransition.values()),
            LifeCycleMove.allMoves(
                ConflictStatus.LIFE,
                ConflictStatus.values(),
                ConflictStatus.ConflictTransition.values()))
        .flatMap(List::stream);
  }

  @ParameterizedTest
  @MethodSource("moves")
  @DisplayName("STM-08: a move in the table is made, any other is refused")
  void everyMove(LifeCycleMove<?, ?> move) {
    move.check();
  }

  private static <S extends Enum<S>, E extends Enum<E>> List<String> ways(Transitions<S, E> table) {
    return table.rows().stream()
        .map(
            transitionRow ->
                transitionRow.from() + " " + transitionRow.event() + " " + transitionRow.to())
        .toList();
  }

  @Test
  @DisplayName("STM-07: the moves of an agent, as the requirement lists them")
  void agents() {
    assertThat(ways(AgentStatus.LIFE))
        .containsExactlyInAnyOrder(
            "IDLE ACTIVATE ACTIVE",
            "IDLE FAIL FAILED",
            "IDLE REST IDLE",
            "ACTIVE REST IDLE",
            "ACTIVE BLOCK BLOCKED",
            "ACTIVE FAIL FAILED",
            "ACTIVE ACTIVATE ACTIVE",
            "BLOCKED ACTIVATE ACTIVE",
            "BLOCKED REST IDLE",
            "BLOCKED FAIL FAILED",
            "BLOCKED BLOCK BLOCKED",
            "FAILED REST IDLE",
            "FAILED FAIL FAILED");
  }

  @Test
  @DisplayName("AGT-10: the way of a message, as decision 0051 tells it")
  void messages() {
    assertThat(ways(MessageState.LIFE))
        .containsExactlyInAnyOrder(
            "PENDING DELIVER DELIVERED",
            "PENDING EXPIRE EXPIRED",
            "DELIVERED ACKNOWLEDGE ACKNOWLEDGED",
            "DELIVERED RETURN PENDING",
            "DELIVERED EXPIRE EXPIRED",
            "DELIVERED GIVE_UP DEAD",
            "DEAD REVIVE PENDING",
            "DEAD EXPIRE EXPIRED");
    assertThat(MessageState.LIFE.terminal())
        .containsExactlyInAnyOrder(MessageState.ACKNOWLEDGED, MessageState.EXPIRED);
  }

  @Test
  @DisplayName("STM-04: the moves of delegated work, as the requirement lists them")
  void delegations() {
    assertThat(ways(DelegationStatus.LIFE))
        .containsExactlyInAnyOrder(
            "PENDING ACCEPT ACCEPTED",
            "PENDING REJECT REJECTED",
            "PENDING REPORT PENDING",
            "ACCEPTED BEGIN IN_PROGRESS",
            "ACCEPTED FAIL FAILED",
            "ACCEPTED REPORT ACCEPTED",
            "IN_PROGRESS COMPLETE COMPLETED",
            "IN_PROGRESS FAIL FAILED",
            "IN_PROGRESS REPORT IN_PROGRESS");
    assertThat(DelegationStatus.LIFE.terminal())
        .containsExactlyInAnyOrder(
            DelegationStatus.REJECTED, DelegationStatus.COMPLETED, DelegationStatus.FAILED);
  }

  @Test
  @DisplayName("STM-05: the moves of a handoff, as the requirement lists them")
  void handoffs() {
    assertThat(ways(HandoffStatus.LIFE))
        .containsExactlyInAnyOrder(
            "INITIATED ACCEPT ACCEPTED",
            "INITIATED REJECT REJECTED",
            "INITIATED REPORT INITIATED",
            "ACCEPTED COMPLETE COMPLETED",
            "ACCEPTED REPORT ACCEPTED");
    assertThat(HandoffStatus.LIFE.terminal())
        .containsExactlyInAnyOrder(HandoffStatus.REJECTED, HandoffStatus.COMPLETED);
  }

  @Test
  @DisplayName("STM-06: the moves of a conflict, as the requirement lists them")
  void conflicts() {
    assertThat(ways(ConflictStatus.LIFE))
        .containsExactlyInAnyOrder(
            "DETECTED BEGIN RESOLVING",
            "DETECTED RESOLVE RESOLVED",
            "DETECTED ESCALATE ESCALATED",
            "DETECTED SEE DETECTED",
            "RESOLVING RESOLVE RESOLVED",
            "RESOLVING ESCALATE ESCALATED",
            "RESOLVING SEE RESOLVING",
            "ESCALATED RESOLVE RESOLVED",
            "ESCALATED SEE ESCALATED");
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
