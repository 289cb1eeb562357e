package dev.caliber.memory.context;

import dev.caliber.kernel.config.Filter;
import dev.caliber.kernel.config.InjectionMode;
import java.util.Optional;

/**
 * How one section is filled.
 *
 * @param limit the most records that a search brings
 * @param unasked whether it brings the newest when there is no query
 */
record Rule(
    Section section, InjectionMode mode, Optional<Filter> filter, Cap limit, boolean unasked) {

  boolean isRelevant() {
    return mode instanceof InjectionMode.Relevant;
  }
}
