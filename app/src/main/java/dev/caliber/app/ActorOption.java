package dev.caliber.app;

import dev.caliber.memory.deployment.Stamp;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Who deploys and activates, and what the log keeps with it. */
final class ActorOption {
  @Mixin private ByOption by = new ByOption();

  @Option(
      names = "--meta",
      paramLabel = "KEY=VALUE",
      description = "What else the log keeps, such as a revision; may be given several times.")
  private Map<String, String> metadata = new TreeMap<>();

  Stamp stamp(Surroundings surroundings) {
    return Stamp.of(by.name(surroundings), metadata);
  }
}
