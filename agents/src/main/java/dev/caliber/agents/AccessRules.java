package dev.caliber.agents;

import dev.caliber.agents.MemoryAccess.Access;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.record.MemoryKind;
import dev.caliber.store.Snapshot;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Whether an agent is allowed something: the one place that asks its grants.
 *
 * @param snapshot of the space that it is registered in
 * @param space whose memory it is about
 */
record AccessRules(Snapshot snapshot, ActingAgent acting, SpaceId space) {

  /** Why not, if it is not. Whatever it is, it is for those alone who are registered here. */
  Optional<AgentsException> refusal(Needs needs) {
    return needs
        .operators()
        .map(what -> AgentsException.denied(acting.agent(), "call", what))
        .or(() -> ofNames(needs.names()))
        .or(() -> ofAgent(needs));
  }

  /** A name is one of its space: the same elsewhere is somebody else's. */
  private Optional<AgentsException> ofNames(Set<AgentId> names) {
    AgentId agent = acting.agent();
    if (!names.isEmpty() && !space.equals(acting.home())) {
      return Optional.of(AgentsException.denied(agent, "act in", "space " + space));
    }
    return names.stream()
        .filter(name -> !name.equals(agent))
        .sorted()
        .findFirst()
        .map(other -> AgentsException.denied(agent, "act as", other.value()));
  }

  private Optional<AgentsException> ofAgent(Needs needs) {
    Optional<Agent> found = snapshot.find(Agent.TABLE, acting.agent());
    if (found.isEmpty()) {
      return Optional.of(AgentsException.notRegistered(acting.agent()));
    }
    if (found.get().status() == AgentStatus.FAILED && !needs.failed()) {
      return Optional.of(AgentsException.failed(acting.agent()));
    }
    return denied(found.get(), Access.READ, needs.read())
        .or(() -> denied(found.get(), Access.WRITE, needs.write()));
  }

  private Optional<AgentsException> denied(Agent agent, Access access, Set<MemoryKind> kinds) {
    return Stream.of(MemoryKind.values())
        .filter(kinds::contains)
        .filter(kind -> !agent.profile().access().allows(access, kind, space, acting.home()))
        .findFirst()
        .map(kind -> AgentsException.denied(agent.id(), access.word(), Grant.word(kind)));
  }
}
