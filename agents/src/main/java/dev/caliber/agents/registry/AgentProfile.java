package dev.caliber.agents.registry;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Properties and permissions of an agent.
 *
 * @param type the type of agent; messages and work can be addressed to a type
 * @param capabilities what it claims to be able to do
 * @param canDelegateTo the types that it may delegate work to
 * @param reportsTo its superior, which is notified of escalations
 */
public record AgentProfile(
    String type,
    List<String> capabilities,
    MemoryAccess access,
    List<String> canDelegateTo,
    Optional<AgentId> reportsTo) {
  public AgentProfile {
    InputChecks.requireName("agent type", type);
    capabilities = List.copyOf(capabilities);
    canDelegateTo = List.copyOf(canDelegateTo);
    Stream.concat(capabilities.stream(), canDelegateTo.stream())
        .forEach(name -> InputChecks.requireName("capability or type", name));
  }

  /** Returns a profile without permissions. */
  public static AgentProfile of(String type) {
    return new AgentProfile(type, List.of(), MemoryAccess.NONE, List.of(), Optional.empty());
  }

  public AgentProfile withCapabilities(String... newCapabilities) {
    return new AgentProfile(type, List.of(newCapabilities), access, canDelegateTo, reportsTo);
  }

  public AgentProfile withAccess(MemoryAccess newAccess) {
    return new AgentProfile(type, capabilities, newAccess, canDelegateTo, reportsTo);
  }

  public AgentProfile withDelegateTypes(String... types) {
    return new AgentProfile(type, capabilities, access, List.of(types), reportsTo);
  }

  public AgentProfile withSuperior(AgentId superior) {
    return new AgentProfile(type, capabilities, access, canDelegateTo, Optional.of(superior));
  }
}
