package dev.caliber.app.shell;

import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** Option {@code --actor}: the name of the actor that the log records. */
final class ActorNameOption {
  private static final String DEFAULT_NAME = "caliber";

  @Option(
      names = "--actor",
      paramLabel = "NAME",
      description = "The actor's name, for the log. Default: CALIBER_ACTOR, else USER.")
  private Optional<String> by = Optional.empty();

  String name(ProcessEnvironment processEnvironment) {
    return by.orElseGet(() -> defaultName(processEnvironment));
  }

  static String defaultName(ProcessEnvironment processEnvironment) {
    return Stream.of("CALIBER_ACTOR", "USER")
        .map(name -> processEnvironment.environment().getOrDefault(name, ""))
        .filter(name -> !name.isBlank())
        .findFirst()
        .orElse(DEFAULT_NAME);
  }
}
