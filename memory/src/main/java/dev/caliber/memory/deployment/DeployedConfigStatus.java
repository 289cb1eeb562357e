package dev.caliber.memory.deployment;

import dev.caliber.kernel.Transitions;

/** Status of one version of a configuration. Versions are never deleted. */
public enum DeployedConfigStatus {
  /** Stored and never activated so far. */
  DEPLOYED,
  /** Active in the space. */
  ACTIVE,
  /** Active before; it can be activated again, byte for byte. */
  RETIRED;

  /** Transition of a version. */
  public enum ConfigTransition {
    /** Becomes active by an activation or a rollback. */
    ACTIVATE,
    /** Replaced by another version. */
    REPLACE
  }

  /** All transitions. */
  public static final Transitions<DeployedConfigStatus, ConfigTransition> TRANSITIONS =
      Transitions.<DeployedConfigStatus, ConfigTransition>from(DEPLOYED)
          .on(DEPLOYED, ConfigTransition.ACTIVATE, ACTIVE)
          .on(ACTIVE, ConfigTransition.REPLACE, RETIRED)
          .on(RETIRED, ConfigTransition.ACTIVATE, ACTIVE)
          .build();

  DeployedConfigStatus next(ConfigTransition configTransition) {
    return TRANSITIONS.next("configuration", this, configTransition);
  }
}
