package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.PolicyRun;
import dev.caliber.memory.record.PolicyStep;
import dev.caliber.memory.record.RunState;
import java.time.Instant;
import java.util.List;
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

  /** The run itself, before its first step. */
  PolicyRun run(List<PolicyStep> steps, Instant now) {
    return new PolicyRun(
        runId(),
        trigger,
        trajectory,
        scope,
        steps,
        0,
        Optional.empty(),
        RunState.LIFE.initial(),
        Optional.empty(),
        Optional.empty(),
        now,
        now);
  }
}
