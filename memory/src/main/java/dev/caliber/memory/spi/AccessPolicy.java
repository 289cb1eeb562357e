package dev.caliber.memory.spi;

import dev.caliber.kernel.SpaceId;

/**
 * Access policy of memory. Memory with a policy asks it before every call, and refuses calls that
 * it denies and calls without an actor.
 */
@FunctionalInterface
public interface AccessPolicy {

  /** Permission that a call needs. */
  enum MemoryPermission {
    /** Reads, recalls and un-compacts. */
    READ,
    /** Writes. */
    WRITE,
    /** Deletes permanently. */
    FORGET,
    /** Cleans up and runs policies by hand. */
    TEND
  }

  boolean allows(String actor, SpaceId space, MemoryPermission memoryPermission);
}
