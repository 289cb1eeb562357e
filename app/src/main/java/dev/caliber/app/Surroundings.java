package dev.caliber.app;

import dev.caliber.kernel.Chance;
import dev.caliber.kernel.Seam;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;

/** Everything that a command takes from outside: streams, environment, place, time and chance. */
record Surroundings(
    Terminal terminal,
    Map<String, String> environment,
    Path directory,
    Clock clock,
    Chance chance) {

  Surroundings {
    environment = Map.copyOf(environment);
    directory = directory.toAbsolutePath().normalize();
  }

  @Seam("the command is where the process's own clock and chance come in")
  static Surroundings ofProcess() {
    Map<String, String> environment = System.getenv();
    return new Surroundings(
        Terminal.ofProcess(environment),
        environment,
        Path.of(""),
        Clock.systemUTC(),
        Chance.system());
  }
}
