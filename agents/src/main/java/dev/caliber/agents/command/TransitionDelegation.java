package dev.caliber.agents.command;

import dev.caliber.agents.delegation.Delegation;
import dev.caliber.agents.delegation.DelegationStatus;
import dev.caliber.agents.registry.AgentId;
import dev.caliber.kernel.Id;
import java.util.Optional;

/**
 * Changes the status of delegated work.
 *
 * @param words a reason or a report; for completed work the result, which is JSON
 */
public record TransitionDelegation(
    AgentId agent,
    Id delegation,
    DelegationStatus.DelegationTransition event,
    Optional<String> words)
    implements AgentCommand<Delegation> {

  public static TransitionDelegation of(
      AgentId agent, Id delegation, DelegationStatus.DelegationTransition delegationTransition) {
    return new TransitionDelegation(agent, delegation, delegationTransition, Optional.empty());
  }

  public static TransitionDelegation complete(AgentId agent, Id delegation, String result) {
    return of(agent, delegation, DelegationStatus.DelegationTransition.COMPLETE).withWords(result);
  }

  public TransitionDelegation withWords(String newWords) {
    return new TransitionDelegation(agent, delegation, event, Optional.of(newWords));
  }
}
