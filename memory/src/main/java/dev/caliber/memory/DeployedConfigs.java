package dev.caliber.memory;

import dev.caliber.kernel.config.CompiledConfig;
import dev.caliber.store.Snapshot;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/** What a space has deployed, as a snapshot of it shows. */
@FunctionalInterface
public interface DeployedConfigs extends Function<Snapshot, Optional<CompiledConfig>> {

  /** Knows of other times as well. */
  static DeployedConfigs of(
      Function<Snapshot, Optional<CompiledConfig>> now,
      BiFunction<Snapshot, Instant, Optional<CompiledConfig>> then) {
    return new DeployedConfigs() {
      @Override
      public Optional<CompiledConfig> apply(Snapshot snapshot) {
        return now.apply(snapshot);
      }

      @Override
      public Optional<CompiledConfig> at(Snapshot snapshot, Instant time) {
        return then.apply(snapshot, time);
      }
    };
  }

  /** What the space ran on at this time; where that is always the same, what it runs on. */
  default Optional<CompiledConfig> at(Snapshot snapshot, Instant time) {
    return apply(snapshot);
  }
}
