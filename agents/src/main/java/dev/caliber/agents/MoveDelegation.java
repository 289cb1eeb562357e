package dev.caliber.agents;

import dev.caliber.kernel.Id;
import java.util.Optional;

/**
 * Says what becomes of delegated work.
 *
 * @param words why or how far; of completed work the result, which is JSON
 */
public record MoveDelegation(
    AgentId agent, Id delegation, DelegationStatus.Event event, Optional<String> words)
    implements AgentCommand<Delegation> {

  public static MoveDelegation of(AgentId agent, Id delegation, DelegationStatus.Event event) {
    return new MoveDelegation(agent, delegation, event, Optional.empty());
  }

  public static MoveDelegation complete(AgentId agent, Id delegation, String result) {
    return of(agent, delegation, DelegationStatus.Event.COMPLETE).saying(result);
  }

  public MoveDelegation saying(String newWords) {
    return new MoveDelegation(agent, delegation, event, Optional.of(newWords));
  }
}
