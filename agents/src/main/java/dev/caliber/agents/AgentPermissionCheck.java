package dev.caliber.agents;

import dev.caliber.agents.command.RequiredPermissions;
import dev.caliber.agents.registry.ActingAgent;
import dev.caliber.agents.registry.Agent;
import dev.caliber.agents.registry.AgentId;
import dev.caliber.agents.registry.AgentStatus;
import dev.caliber.agents.registry.AgentsException;
import dev.caliber.agents.registry.Grant;
import dev.caliber.agents.registry.MemoryAccess.AccessMode;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.record.MemoryKind;
import dev.caliber.store.Snapshot;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Check of an agent's permissions against its grants.
 *
 * @param snapshot of the space that it is registered in
 * @param space the space of the memory it uses
 */
record AgentPermissionCheck(Snapshot snapshot, ActingAgent acting, SpaceId space) {

  /**
   * Returns the reason for a refusal, if any. Every action requires that the agent is registered
   * here.
   */
  Optional<AgentsException> refusal(RequiredPermissions requiredPermissions) {
    return requiredPermissions
        .operatorAction()
        .map(what -> AgentsException.accessDenied(acting.agent(), "call", what))
        .or(() -> refusalForActors(requiredPermissions.actors()))
        .or(() -> refusalForAgent(requiredPermissions));
  }

  /** Refuses other names and other spaces: an equal name in another space is another agent. */
  private Optional<AgentsException> refusalForActors(Set<AgentId> names) {
    AgentId agent = acting.agent();
    if (!names.isEmpty() && !space.equals(acting.home())) {
      return Optional.of(AgentsException.accessDenied(agent, "act in", "space " + space));
    }
    return names.stream()
        .filter(name -> !name.equals(agent))
        .sorted()
        .findFirst()
        .map(other -> AgentsException.accessDenied(agent, "act as", other.value()));
  }

  private Optional<AgentsException> refusalForAgent(RequiredPermissions requiredPermissions) {
    Optional<Agent> found = snapshot.find(Agent.TABLE, acting.agent());
    if (found.isEmpty()) {
      return Optional.of(AgentsException.notRegistered(acting.agent()));
    }
    if (found.get().status() == AgentStatus.FAILED && !requiredPermissions.failedAllowed()) {
      return Optional.of(AgentsException.agentFailed(acting.agent()));
    }
    return missingGrant(found.get(), AccessMode.READ, requiredPermissions.readKinds())
        .or(() -> missingGrant(found.get(), AccessMode.WRITE, requiredPermissions.writeKinds()));
  }

  private Optional<AgentsException> missingGrant(
      Agent agent, AccessMode accessMode, Set<MemoryKind> kinds) {
    return Stream.of(MemoryKind.values())
        .filter(kinds::contains)
        .filter(kind -> !agent.profile().access().allows(accessMode, kind, space, acting.home()))
        .findFirst()
        .map(
            kind ->
                AgentsException.accessDenied(
                    agent.id(), accessMode.lowerCaseName(), Grant.kindName(kind)));
  }
}
