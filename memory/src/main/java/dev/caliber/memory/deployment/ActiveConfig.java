package dev.caliber.memory.deployment;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.config.CompiledConfig;

/**
 * What a space runs on, as one value: whoever holds it sees one configuration, whatever is
 * activated meanwhile.
 *
 * @param hash of everything that was deployed
 */
public record ActiveConfig(Id id, String name, int version, String hash, CompiledConfig config) {
  static ActiveConfig of(StoredConfig stored) {
    return new ActiveConfig(
        stored.id(), stored.name(), stored.version(), stored.hash(), stored.config());
  }
}
