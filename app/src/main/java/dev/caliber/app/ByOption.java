package dev.caliber.app;

import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** Who does something. */
final class ByOption {
  private static final String NOBODY = "caliber";

  @Option(
      names = "--by",
      paramLabel = "NAME",
      description = "Who does it, for the log. Without it: CALIBER_ACTOR, else USER.")
  private Optional<String> by = Optional.empty();

  String name(Surroundings surroundings) {
    return by.or(
            () ->
                Stream.of("CALIBER_ACTOR", "USER")
                    .map(name -> surroundings.environment().getOrDefault(name, ""))
                    .filter(name -> !name.isBlank())
                    .findFirst())
        .orElse(NOBODY);
  }
}
