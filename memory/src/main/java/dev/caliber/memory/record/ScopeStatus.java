package dev.caliber.memory.record;

import dev.caliber.kernel.Transitions;

/** Status of a scope, which accepts turns while it is open. */
public enum ScopeStatus {
  OPEN,
  CLOSED;

  /** Transition of a scope. */
  public enum ScopeTransition {
    CLOSE
  }

  /** Life cycle. A scope closes once and never reopens. */
  public static final Transitions<ScopeStatus, ScopeTransition> LIFE =
      Transitions.<ScopeStatus, ScopeTransition>from(OPEN)
          .on(OPEN, ScopeTransition.CLOSE, CLOSED)
          .build();
}
