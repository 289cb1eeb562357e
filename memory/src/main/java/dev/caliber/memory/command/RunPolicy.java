package dev.caliber.memory.command;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.PolicyRun;
import dev.caliber.memory.record.Texts;
import java.util.Optional;

/**
 * Runs a policy by hand: the steps of all its rules, whatever their triggers. Only prunes and
 * notices can be about the whole space; a policy that does more needs a trajectory.
 *
 * @param key the same key about the same trajectory and scope sets off the same run, done once
 */
public record RunPolicy(String policy, Optional<Id> trajectory, Optional<Id> scope, String key)
    implements Command<PolicyRun> {
  public RunPolicy {
    Texts.requireFilled("policy", policy);
    Texts.requireFilled("key", key);
  }

  /** About the whole space. */
  public static RunPolicy everywhere(String policy, String key) {
    return new RunPolicy(policy, Optional.empty(), Optional.empty(), key);
  }

  public static RunPolicy on(Id trajectory, String policy, String key) {
    return new RunPolicy(policy, Optional.of(trajectory), Optional.empty(), key);
  }
}
