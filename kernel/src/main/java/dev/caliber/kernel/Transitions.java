package dev.caliber.kernel;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Life cycle as a table of state, event and next state. An event that the table does not have for a
 * state is an error, never ignored; the diagram is generated from the table.
 */
public final class Transitions<S extends Enum<S>, E extends Enum<E>> {
  /** One row of the table. */
  public record TransitionRow<S extends Enum<S>, E extends Enum<E>>(S from, E event, S to) {}

  private final S initial;
  private final List<TransitionRow<S, E>> rows;
  private final Map<S, Map<E, S>> next;
  private final Set<S> terminal;

  private Transitions(S initial, List<TransitionRow<S, E>> rows, Map<S, Map<E, S>> next) {
    this.initial = initial;
    this.rows = List.copyOf(rows);
    this.next = next;
    Set<S> last = EnumSet.of(initial);
    for (TransitionRow<S, E> transitionRow : rows) {
      last.add(transitionRow.to());
    }
    last.removeAll(next.keySet());
    this.terminal = Collections.unmodifiableSet(last);
  }

  /** Begins a table with the initial state. */
  public static <S extends Enum<S>, E extends Enum<E>> TransitionsBuilder<S, E> from(S initial) {
    return new TransitionsBuilder<>(initial);
  }

  public S initial() {
    return initial;
  }

  /** Returns the state after the event; the entity's type is for the error's text. */
  public S next(String entityType, S from, E event) {
    S to = find(from, event);
    if (to == null) {
      throw KernelException.invalidStateTransition(
          entityType, from, event, next.getOrDefault(from, Map.of()).keySet());
    }
    return to;
  }

  public boolean allows(S from, E event) {
    return find(from, event) != null;
  }

  /** Returns the states that can be entered and not left. */
  public Set<S> terminal() {
    return terminal;
  }

  /** Returns the rows in the order in which they were written. */
  public List<TransitionRow<S, E>> rows() {
    return rows;
  }

  /** Returns the table as a Mermaid state diagram, always the same text for the same rows. */
  public String mermaid() {
    var text = new StringBuilder("stateDiagram-v2\n");
    appendLine(text, "[*]", initial.name());
    for (TransitionRow<S, E> transitionRow : rows) {
      appendLine(
          text,
          transitionRow.from().name(),
          transitionRow.to().name() + " : " + transitionRow.event().name());
    }
    for (S state : terminal) {
      appendLine(text, state.name(), "[*]");
    }
    return text.toString();
  }

  private static void appendLine(StringBuilder text, String from, String to) {
    text.append("    ").append(from).append(" --> ").append(to).append('\n');
  }

  private @Nullable S find(S from, E event) {
    Map<E, S> events = next.get(from);
    return events == null ? null : events.get(event);
  }

  /** Builder of a table; a second row for the same state and event is refused. */
  public static final class TransitionsBuilder<S extends Enum<S>, E extends Enum<E>> {
    private final S initial;
    private final List<TransitionRow<S, E>> rows = new ArrayList<>();
    private final Map<S, Map<E, S>> next;

    private TransitionsBuilder(S initial) {
      this.initial = initial;
      this.next = new EnumMap<>(initial.getDeclaringClass());
    }

    public TransitionsBuilder<S, E> on(S from, E event, S to) {
      Map<E, S> events = next.computeIfAbsent(from, _ -> new EnumMap<>(event.getDeclaringClass()));
      if (events.putIfAbsent(event, to) != null) {
        throw KernelException.invalidValue(
            "transition table",
            "one row for each pair of state and event",
            from.name() + " " + event.name() + " twice");
      }
      rows.add(new TransitionRow<>(from, event, to));
      return this;
    }

    public Transitions<S, E> build() {
      Map<S, Map<E, S>> copy = new EnumMap<>(next);
      copy.replaceAll((_, events) -> new EnumMap<>(events));
      return new Transitions<>(initial, rows, copy);
    }
  }
}
