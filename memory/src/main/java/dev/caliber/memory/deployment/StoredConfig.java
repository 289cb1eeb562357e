package dev.caliber.memory.deployment;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.config.CompiledConfig;
import dev.caliber.store.Table;
import java.time.Instant;

/**
 * One version of a configuration as it lies in the store. All but the status stays as it is for
 * ever.
 *
 * @param version counts up from 1 for each name
 * @param ast JSON text
 * @param compiled JSON text of the {@link CompiledConfig}, byte for byte as it was deployed
 * @param hash of everything that was deployed
 */
public record StoredConfig(
    Id id,
    String name,
    int version,
    SourceKind kind,
    String dslSource,
    String ast,
    String compiled,
    String hash,
    ConfigStatus status,
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

  static StoredConfig first(Id id, int version, DeployConfig wish, String hash, Instant now) {
    return new StoredConfig(
        id,
        wish.name(),
        version,
        wish.kind(),
        wish.dslSource(),
        wish.ast(),
        Json.text(wish.config()),
        hash,
        ConfigStatus.TRANSITIONS.initial(),
        now,
        wish.stamp().by());
  }

  /** The compiled configuration, read from what is stored. */
  public CompiledConfig config() {
    return Json.read(compiled, CompiledConfig.class);
  }

  /** Name and version as people write them. */
  public String label() {
    return name + " version " + version;
  }

  StoredConfig after(ConfigStatus.Event event) {
    return new StoredConfig(
        id,
        name,
        version,
        kind,
        dslSource,
        ast,
        compiled,
        hash,
        status.after(event),
        createdAt,
        createdBy);
  }
}
