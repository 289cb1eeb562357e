package dev.caliber.memory.deployment;

import dev.caliber.kernel.Id;
import dev.caliber.store.Table;
import java.time.Instant;
import java.util.Optional;

/**
 * Entry of the deployment log: from this time on the space used this version.
 *
 * @param replaced the version before, if any
 */
public record Activation(
    Id id,
    ActivationAction action,
    Id configId,
    String name,
    int version,
    Optional<Id> replaced,
    Instant at,
    AuditStamp stamp) {

  static final Table<Activation> TABLE =
      Table.of(
              "dsl_deployment",
              "Log of activations of configurations, with time and actor",
              Activation.class,
              Activation::id)
          .text("action", activation -> activation.action().name())
          .text("config_id", activation -> activation.configId().toString())
          .text("name", Activation::name)
          .integer("version", Activation::version)
          .instant("at", Activation::at)
          .text("actor", activation -> activation.stamp().by())
          .index("name", "at");

  /** Cause of an activation. */
  public enum ActivationAction {
    ACTIVATE,
    ROLLBACK
  }
}
