package dev.caliber.memory.spi;

import dev.caliber.kernel.SpaceId;

/**
 * Says who may do what. Memory that was given one asks it before every call, and refuses what it
 * does not allow, and every call that names no actor.
 */
@FunctionalInterface
public interface AccessPolicy {

  /** What a call wants. */
  enum Access {
    /** To read, to recall, to un-compact. */
    READ,
    /** To write anything. */
    WRITE,
    /** To remove for good. */
    FORGET,
    /** To clean up and to run policies by hand. */
    TEND
  }

  boolean allows(String actor, SpaceId space, Access access);
}
