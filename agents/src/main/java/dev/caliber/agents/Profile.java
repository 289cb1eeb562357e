package dev.caliber.agents;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What an agent is and may do.
 *
 * @param type what sort of agent it is; mail and work can be addressed to a type
 * @param capabilities what it says it can do
 * @param canDelegateTo the types that it may give work to
 * @param reportsTo who is told when it cannot go on
 */
public record Profile(
    String type,
    List<String> capabilities,
    MemoryAccess access,
    List<String> canDelegateTo,
    Optional<AgentId> reportsTo) {
  public Profile {
    Names.require("agent type", type);
    capabilities = List.copyOf(capabilities);
    canDelegateTo = List.copyOf(canDelegateTo);
    Stream.concat(capabilities.stream(), canDelegateTo.stream())
        .forEach(name -> Names.require("capability or type", name));
  }

  /** One that may do nothing yet. */
  public static Profile of(String type) {
    return new Profile(type, List.of(), MemoryAccess.NONE, List.of(), Optional.empty());
  }

  public Profile able(String... newCapabilities) {
    return new Profile(type, List.of(newCapabilities), access, canDelegateTo, reportsTo);
  }

  public Profile granted(MemoryAccess newAccess) {
    return new Profile(type, capabilities, newAccess, canDelegateTo, reportsTo);
  }

  public Profile delegatingTo(String... types) {
    return new Profile(type, capabilities, access, List.of(types), reportsTo);
  }

  public Profile under(AgentId superior) {
    return new Profile(type, capabilities, access, canDelegateTo, Optional.of(superior));
  }
}
