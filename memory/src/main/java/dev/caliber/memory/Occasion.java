package dev.caliber.memory;

import dev.caliber.kernel.Id;
import java.util.Optional;

/**
 * A trigger as it happened.
 *
 * @param key what makes it this one and no other: the turn that was said, the minute that came
 */
record Occasion(String trigger, String key, Optional<Id> trajectory, Optional<Id> scope) {

  /** The id of the run that it sets off, the same whoever asks. */
  Id runId() {
    return Id.deterministic("policy-run", trigger, key);
  }
}
