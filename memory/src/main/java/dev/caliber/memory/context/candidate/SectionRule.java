package dev.caliber.memory.context.candidate;

import dev.caliber.kernel.config.Filter;
import dev.caliber.kernel.config.InjectionMode;
import dev.caliber.memory.context.window.CandidateLimit;
import dev.caliber.memory.context.window.SourceKind;
import dev.caliber.memory.context.window.WindowSection;
import java.util.Optional;

/**
 * Rule that fills one section.
 *
 * @param limit maximum number of records from a search
 * @param withoutQuery whether it takes the newest records when there is no query
 * @param otherSessions whether it takes turns of the subject's other sessions
 */
public record SectionRule(
    WindowSection section,
    InjectionMode mode,
    Optional<Filter> filter,
    CandidateLimit limit,
    boolean withoutQuery,
    boolean otherSessions) {

  /** Number of records read beyond a limit where they are adjacent. */
  private static final int AHEAD_BOUND = 20;

  /**
   * Returns the number of records to read beyond a limit: one, if many rows may have to be skipped
   * to reach the next.
   */
  int lookAhead() {
    return filter.isPresent() || section.kind() == SourceKind.NOTE ? 1 : AHEAD_BOUND;
  }

  boolean isByRelevance() {
    return mode instanceof InjectionMode.RelevantInjection;
  }
}
