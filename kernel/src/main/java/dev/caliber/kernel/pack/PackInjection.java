package dev.caliber.kernel.pack;

import java.util.Optional;

/**
 * The name of an injection, and which records it is about.
 *
 * @param rule its place among the injections of the compiled configuration
 */
public record PackInjection(String name, int rule, Optional<EntityType> entityType) {

  /** Which records are injected. */
  public enum EntityType {
    NOTE,
    ARTIFACT
  }
}
