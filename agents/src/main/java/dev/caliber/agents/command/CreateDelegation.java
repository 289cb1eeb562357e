package dev.caliber.agents.command;

import dev.caliber.agents.delegation.DelegatedTask;
import dev.caliber.agents.delegation.Delegation;
import dev.caliber.agents.delegation.DelegationStatus;
import dev.caliber.agents.registry.AgentId;
import dev.caliber.agents.registry.InputChecks;
import dev.caliber.agents.registry.Recipient;
import dev.caliber.kernel.Id;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Delegates work to an agent, or to the first agent of a type that accepts it.
 *
 * @param within time limit of the work; empty: none
 */
public record CreateDelegation(
    AgentId delegator, Recipient to, DelegatedTask task, Optional<Duration> within)
    implements AgentCommand<Delegation> {
  public CreateDelegation {
    within.ifPresent(time -> InputChecks.requireDuration("time limit of a delegation", time));
  }

  public static CreateDelegation of(AgentId delegator, Recipient to, DelegatedTask delegatedTask) {
    return new CreateDelegation(delegator, to, delegatedTask, Optional.empty());
  }

  public CreateDelegation withDeadline(Duration time) {
    return new CreateDelegation(delegator, to, task, Optional.of(time));
  }

  /** Returns the delegation that this command begins. */
  public Delegation toDelegation(Id id, Instant answerBy, Instant now) {
    return new Delegation(
        id,
        delegator,
        to,
        task,
        answerBy,
        within.map(now::plus),
        DelegationStatus.LIFE.initial(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        now,
        now,
        Optional.empty(),
        Optional.empty());
  }
}
