package dev.caliber.memory.deployment;

import dev.caliber.kernel.Id;
import dev.caliber.store.Table;
import java.time.Instant;
import java.util.Optional;

/**
 * An entry of the log of deployments: from then on the space ran on that version.
 *
 * @param replaced what it ran on before
 */
public record Activation(
    Id id,
    Action action,
    Id configId,
    String name,
    int version,
    Optional<Id> replaced,
    Instant at,
    Stamp stamp) {

  static final Table<Activation> TABLE =
      Table.of(
              "dsl_deployment",
              "Which configuration was activated when, and by whom",
              Activation.class,
              Activation::id)
          .text("action", activation -> activation.action().name())
          .text("config_id", activation -> activation.configId().toString())
          .text("name", Activation::name)
          .integer("version", Activation::version)
          .instant("at", Activation::at)
          .text("actor", activation -> activation.stamp().by())
          .index("name", "at");

  /** Why a version became active. */
  public enum Action {
    ACTIVATE,
    ROLLBACK
  }
}
