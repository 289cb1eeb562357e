package dev.caliber.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.kernel.KernelErrorCode;
import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.Transitions;
import java.util.List;
import java.util.stream.Stream;

/** State and event of a life cycle, with or without a row in its table. */
public record LifeCycleMove<S extends Enum<S>, E extends Enum<E>>(
    Transitions<S, E> table, S from, E event) {

  /** Returns every state with every event. */
  public static <S extends Enum<S>, E extends Enum<E>> List<LifeCycleMove<?, ?>> allMoves(
      Transitions<S, E> table, S[] states, E[] events) {
    return Stream.of(states)
        .<LifeCycleMove<?, ?>>flatMap(
            state -> Stream.of(events).map(event -> new LifeCycleMove<>(table, state, event)))
        .toList();
  }

  /** Checks that a move in the table is made and any other is refused. */
  public void check() {
    List<S> targets =
        table.rows().stream()
            .filter(transitionRow -> transitionRow.from() == from && transitionRow.event() == event)
            .map(Transitions.TransitionRow::to)
            .toList();
    if (targets.isEmpty()) {
      assertThatThrownBy(() -> table.next("Thing", from, event))
          .isInstanceOfSatisfying(
              KernelException.class,
              e -> assertThat(e.code()).isEqualTo(KernelErrorCode.INVALID_STATE_TRANSITION));
    } else {
      assertThat(table.next("Thing", from, event)).isEqualTo(targets.getFirst());
    }
  }

  @Override
  public String toString() {
    return from.getDeclaringClass().getSimpleName() + " " + from + " " + event;
  }
}
