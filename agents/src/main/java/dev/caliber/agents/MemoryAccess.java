package dev.caliber.agents;

import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.record.MemoryKind;
import java.util.List;
import java.util.stream.Stream;

/** What an agent may read and write of memory. What is not granted is denied. */
public record MemoryAccess(List<Grant> read, List<Grant> write) {
  public static final MemoryAccess NONE = new MemoryAccess(List.of(), List.of());

  public MemoryAccess {
    read = List.copyOf(read);
    write = List.copyOf(write);
  }

  /** Everything in the space that the agent is registered in. */
  public static MemoryAccess all() {
    return NONE.reading("*").writing("*");
  }

  public MemoryAccess reading(String... grants) {
    return new MemoryAccess(Stream.of(grants).map(Grant::parse).toList(), write);
  }

  public MemoryAccess writing(String... grants) {
    return new MemoryAccess(read, Stream.of(grants).map(Grant::parse).toList());
  }

  boolean allows(Access access, MemoryKind kind, SpaceId where, SpaceId own) {
    List<Grant> grants = access == Access.READ ? read : write;
    return grants.stream().anyMatch(grant -> grant.allows(kind, where, own));
  }

  /** What is wanted of memory. */
  enum Access {
    READ,
    WRITE;

    String word() {
      return Words.of(this);
    }
  }
}
