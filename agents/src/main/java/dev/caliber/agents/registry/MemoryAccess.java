package dev.caliber.agents.registry;

import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.record.MemoryKind;
import java.util.List;
import java.util.stream.Stream;

/** Read and write grants of an agent for memory. Anything not granted is denied. */
public record MemoryAccess(List<Grant> read, List<Grant> write) {
  public static final MemoryAccess NONE = new MemoryAccess(List.of(), List.of());

  public MemoryAccess {
    read = List.copyOf(read);
    write = List.copyOf(write);
  }

  /** Grants everything in the agent's own space. */
  public static MemoryAccess all() {
    return NONE.withReadGrants("*").withWriteGrants("*");
  }

  public MemoryAccess withReadGrants(String... grants) {
    return new MemoryAccess(Stream.of(grants).map(Grant::parse).toList(), write);
  }

  public MemoryAccess withWriteGrants(String... grants) {
    return new MemoryAccess(read, Stream.of(grants).map(Grant::parse).toList());
  }

  public boolean allows(AccessMode accessMode, MemoryKind kind, SpaceId where, SpaceId own) {
    List<Grant> grants = accessMode == AccessMode.READ ? read : write;
    return grants.stream().anyMatch(grant -> grant.allows(kind, where, own));
  }

  /** Mode of access to memory. */
  public enum AccessMode {
    READ,
    WRITE;

    public String lowerCaseName() {
      return EnumNames.lowerCaseName(this);
    }
  }
}
