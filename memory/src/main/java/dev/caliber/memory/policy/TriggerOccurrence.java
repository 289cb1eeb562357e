package dev.caliber.memory.policy;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.PolicyRun;
import dev.caliber.memory.record.PolicyRunState;
import dev.caliber.memory.record.PolicyStep;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Occurrence of a trigger.
 *
 * @param key tells occurrences of one trigger apart, such as the turn or the minute
 */
public record TriggerOccurrence(
    String trigger, String key, Optional<Id> trajectory, Optional<Id> scope) {

  /** Returns the id of its run, which depends on trigger and key only. */
  Id runId() {
    return Id.derivedFrom("policy-run", trigger, key);
  }

  /** Returns the run before its first step. */
  PolicyRun newRun(List<PolicyStep> steps, Instant now) {
    return new PolicyRun(
        runId(),
        trigger,
        trajectory,
        scope,
        steps,
        0,
        Optional.empty(),
        PolicyRunState.LIFE.initial(),
        Optional.empty(),
        Optional.empty(),
        now,
        now);
  }
}
