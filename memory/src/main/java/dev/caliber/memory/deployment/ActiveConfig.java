package dev.caliber.memory.deployment;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.config.CompiledConfig;

/**
 * Active configuration of a space, as one immutable value that a later activation does not change.
 *
 * @param hash hash of everything that was deployed
 */
public record ActiveConfig(Id id, String name, int version, String hash, CompiledConfig config) {
  static ActiveConfig of(StoredConfig stored) {
    return new ActiveConfig(
        stored.id(), stored.name(), stored.version(), stored.hash(), stored.config());
  }
}
