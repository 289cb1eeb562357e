package dev.caliber.kernel;

import static dev.caliber.kernel.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TransitionsTest {
  private enum State {
    READY,
    RUNNING,
    WAITING,
    DONE,
    FAILED
  }

  private enum Event {
    START,
    SUSPEND,
    WAKE,
    FINISH,
    FAIL
  }

  private static final Transitions<State, Event> RUN =
      Transitions.<State, Event>from(State.READY)
          .on(State.READY, Event.START, State.RUNNING)
          .on(State.RUNNING, Event.SUSPEND, State.WAITING)
          .on(State.WAITING, Event.WAKE, State.RUNNING)
          .on(State.RUNNING, Event.FINISH, State.DONE)
          .on(State.RUNNING, Event.FAIL, State.FAILED)
          .build();

  @Test
  void everyPairIsEitherARowOrAnError() {
    var visited = new HashSet<Transitions.TransitionRow<State, Event>>();
    for (State from : State.values()) {
      for (Event event : Event.values()) {
        if (RUN.allows(from, event)) {
          visited.add(new Transitions.TransitionRow<>(from, event, RUN.next("run", from, event)));
        } else {
          refused(KernelErrorCode.INVALID_STATE_TRANSITION, () -> RUN.next("run", from, event));
        }
      }
    }
    assertThat(visited).containsExactlyInAnyOrderElementsOf(RUN.rows());
  }

  @Test
  void theErrorNamesEntityStateEventAndWhatWouldDo() {
    assertThat(
            refused(
                KernelErrorCode.INVALID_STATE_TRANSITION,
                () -> RUN.next("run", State.RUNNING, Event.WAKE)))
        .hasMessage("run in state RUNNING: expected SUSPEND, FINISH, FAIL, found WAKE");
    assertThat(
            refused(
                KernelErrorCode.INVALID_STATE_TRANSITION,
                () -> RUN.next("run", State.DONE, Event.START)))
        .hasMessage("run in state DONE: expected no event (the state is final), found START");
  }

  @Test
  void terminalStatesAreThoseWithoutAWayOut() {
    assertThat(RUN.terminal()).isEqualTo(Set.of(State.DONE, State.FAILED));
    assertThat(RUN.initial()).isEqualTo(State.READY);
    assertThat(Transitions.<State, Event>from(State.DONE).build().terminal())
        .containsExactly(State.DONE);
  }

  @Test
  void aSecondRowForAPairIsRefused() {
    var transitionsBuilder =
        Transitions.<State, Event>from(State.READY).on(State.READY, Event.START, State.RUNNING);
    assertThat(
            refused(
                KernelErrorCode.INVALID_VALUE,
                () -> transitionsBuilder.on(State.READY, Event.START, State.DONE)))
        .hasMessageContaining("READY START twice");
  }

  @Test
  void aBuiltTableDoesNotChangeWithItsBuilder() {
    var transitionsBuilder =
        Transitions.<State, Event>from(State.READY).on(State.READY, Event.START, State.RUNNING);
    var table = transitionsBuilder.build();
    var longer = transitionsBuilder.on(State.READY, Event.FAIL, State.FAILED).build();
    assertThat(table.allows(State.READY, Event.FAIL)).isFalse();
    assertThat(longer.allows(State.READY, Event.FAIL)).isTrue();
  }

  @Test
  void theDiagramIsMadeFromTheTable() {
    assertThat(RUN.mermaid())
        .isEqualTo(
            """
            stateDiagram-v2
                [*] --> READY
                READY --> RUNNING : START
                RUNNING --> WAITING : SUSPEND
                WAITING --> RUNNING : WAKE
                RUNNING --> DONE : FINISH
                RUNNING --> FAILED : FAIL
                DONE --> [*]
                FAILED --> [*]
            """);
  }
}
