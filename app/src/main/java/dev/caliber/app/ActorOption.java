package dev.caliber.app;

import dev.caliber.memory.deployment.Stamp;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** Who deploys and activates, and what the log keeps with it. */
final class ActorOption {
  private static final String NOBODY = "caliber";

  @Option(
      names = "--by",
      paramLabel = "NAME",
      description = "Who does it, for the log. Without it: CALIBER_ACTOR, else USER.")
  private Optional<String> by = Optional.empty();

  @Option(
      names = "--meta",
      paramLabel = "KEY=VALUE",
      description = "What else the log keeps, such as a revision; may be given several times.")
  private Map<String, String> metadata = new TreeMap<>();

  Stamp stamp(Surroundings surroundings) {
    String actor =
        by.or(
                () ->
                    Stream.of("CALIBER_ACTOR", "USER")
                        .map(name -> surroundings.environment().getOrDefault(name, ""))
                        .filter(name -> !name.isBlank())
                        .findFirst())
            .orElse(NOBODY);
    return Stamp.of(actor, metadata);
  }
}
