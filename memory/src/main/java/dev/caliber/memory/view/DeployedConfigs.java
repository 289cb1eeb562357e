package dev.caliber.memory.view;

import dev.caliber.kernel.config.CompiledConfig;
import dev.caliber.store.Snapshot;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Lookup of the configuration that a space has deployed, as seen in a snapshot. */
@FunctionalInterface
public interface DeployedConfigs extends Function<Snapshot, Optional<CompiledConfig>> {

  /** Returns a lookup that also knows earlier configurations. */
  static DeployedConfigs of(
      Function<Snapshot, Optional<CompiledConfig>> now,
      BiFunction<Snapshot, Instant, Optional<CompiledConfig>> then) {
    return new DeployedConfigs() {
      @Override
      public Optional<CompiledConfig> apply(Snapshot snapshot) {
        return now.apply(snapshot);
      }

      @Override
      public Optional<CompiledConfig> configAt(Snapshot snapshot, Instant time) {
        return then.apply(snapshot, time);
      }
    };
  }

  /** Returns the configuration that was active at this time; by default today's. */
  default Optional<CompiledConfig> configAt(Snapshot snapshot, Instant time) {
    return apply(snapshot);
  }
}
