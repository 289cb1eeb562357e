package dev.caliber.memory.context;

import dev.caliber.kernel.config.Filter;
import dev.caliber.kernel.config.InjectionMode;
import java.util.Optional;

/**
 * How one section is filled.
 *
 * @param limit the most records that a search brings
 * @param unasked whether it brings the newest when there is no query
 * @param elsewhere whether it brings turns of the subject's other sessions
 */
record Rule(
    Section section,
    InjectionMode mode,
    Optional<Filter> filter,
    Cap limit,
    boolean unasked,
    boolean elsewhere) {

  /** How many records beyond a limit are looked at where they lie side by side. */
  private static final int AHEAD_BOUND = 20;

  /**
   * How many records beyond a limit are looked at. Where most of a table may be passed over on the
   * way to the next one, it is enough to know that there is one.
   */
  int ahead() {
    return filter.isPresent() || section.kind() == SourceKind.NOTE ? 1 : AHEAD_BOUND;
  }

  boolean isRelevant() {
    return mode instanceof InjectionMode.Relevant;
  }
}
