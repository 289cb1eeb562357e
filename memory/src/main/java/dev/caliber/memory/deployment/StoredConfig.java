package dev.caliber.memory.deployment;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.config.CompiledConfig;
import dev.caliber.store.Table;
import java.time.Instant;

/**
 * Stored version of a configuration. Only its status ever changes.
 *
 * @param version counts up from 1 for each name
 * @param ast JSON text
 * @param compiled JSON text of the {@link CompiledConfig}, byte for byte as it was deployed
 * @param hash hash of everything that was deployed
 */
public record StoredConfig(
    Id id,
    String name,
    int version,
    ConfigSourceKind kind,
    String dslSource,
    String ast,
    String compiled,
    String hash,
    DeployedConfigStatus status,
    Instant createdAt,
    String createdBy) {

  static final Table<StoredConfig> TABLE =
      Table.of(
              "dsl_config",
              "Versions of configurations: source, tree and compiled form",
              StoredConfig.class,
              StoredConfig::id)
          .text("name", StoredConfig::name)
          .integer("version", StoredConfig::version)
          .text("kind", config -> config.kind().name())
          .text("hash", StoredConfig::hash)
          .text("status", config -> config.status().name())
          .instant("created_at", StoredConfig::createdAt)
          .unique("name", "version")
          .unique("name", "hash")
          .index("name", "status", "version")
          .index("status");

  static StoredConfig newVersion(
      Id id, int version, ConfigDeployment request, String hash, Instant now) {
    return new StoredConfig(
        id,
        request.name(),
        version,
        request.sourceKind(),
        request.dslSource(),
        request.ast(),
        Json.text(request.config()),
        hash,
        DeployedConfigStatus.TRANSITIONS.initial(),
        now,
        request.stamp().by());
  }

  /** Returns the compiled configuration, parsed from the stored text. */
  public CompiledConfig config() {
    return Json.read(compiled, CompiledConfig.class);
  }

  /** Returns name and version in words. */
  public String label() {
    return name + " version " + version;
  }

  StoredConfig withStatusAfter(DeployedConfigStatus.ConfigTransition configTransition) {
    return new StoredConfig(
        id,
        name,
        version,
        kind,
        dslSource,
        ast,
        compiled,
        hash,
        status.next(configTransition),
        createdAt,
        createdBy);
  }
}
