package dev.caliber.agents;

import java.time.Duration;
import java.util.Optional;

/**
 * Gives work to another agent, or to whoever of a type accepts it first.
 *
 * @param within how soon it has to be done; empty: whenever
 */
public record Delegate(AgentId delegator, Address to, Task task, Optional<Duration> within)
    implements AgentCommand<Delegation> {
  public Delegate {
    within.ifPresent(time -> Names.requireTime("time within which work is done", time));
  }

  public static Delegate of(AgentId delegator, Address to, Task task) {
    return new Delegate(delegator, to, task, Optional.empty());
  }

  public Delegate within(Duration time) {
    return new Delegate(delegator, to, task, Optional.of(time));
  }
}
