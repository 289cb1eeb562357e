package dev.caliber.kernel.pack;

import java.util.Optional;

/**
 * Name of an injection, and the records that it selects.
 *
 * @param rule its position among the injections of the compiled configuration
 */
public record PackInjection(String name, int rule, Optional<InjectionEntityType> entityType) {

  /** Kinds of records that can be injected. */
  public enum InjectionEntityType {
    NOTE,
    ARTIFACT
  }
}
