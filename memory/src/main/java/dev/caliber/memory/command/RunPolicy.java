package dev.caliber.memory.command;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.PolicyRun;
import dev.caliber.memory.record.TextChecks;
import java.util.Optional;

/**
 * Command that runs a policy: the steps of all its rules, whatever their triggers. Only prunes and
 * notices can target the whole space; a policy with other actions needs a trajectory.
 *
 * @param key deduplication key: the same key, trajectory and scope start one run
 */
public record RunPolicy(String policy, Optional<Id> trajectory, Optional<Id> scope, String key)
    implements Command<PolicyRun> {
  public RunPolicy {
    TextChecks.requireNotBlank("policy", policy);
    TextChecks.requireNotBlank("key", key);
  }

  /** Returns a command for the whole space. */
  public static RunPolicy forSpace(String policy, String key) {
    return new RunPolicy(policy, Optional.empty(), Optional.empty(), key);
  }

  public static RunPolicy forTrajectory(Id trajectory, String policy, String key) {
    return new RunPolicy(policy, Optional.of(trajectory), Optional.empty(), key);
  }
}
