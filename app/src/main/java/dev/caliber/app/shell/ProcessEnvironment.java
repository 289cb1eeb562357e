package dev.caliber.app.shell;

import dev.caliber.kernel.RandomSource;
import dev.caliber.kernel.SystemAccess;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;

/** Environment of a command: streams, variables, directory, time and randomness. */
public record ProcessEnvironment(
    Terminal terminal,
    Map<String, String> environment,
    Path directory,
    Clock clock,
    RandomSource chance) {

  public ProcessEnvironment {
    environment = Map.copyOf(environment);
    directory = directory.toAbsolutePath().normalize();
  }

  ProcessEnvironment withClock(Clock other) {
    return new ProcessEnvironment(terminal, environment, directory, other, chance);
  }

  @SystemAccess("the command is where the process's own clock and chance come in")
  public static ProcessEnvironment ofProcess() {
    Map<String, String> environment = System.getenv();
    return new ProcessEnvironment(
        Terminal.ofProcess(environment),
        environment,
        Path.of(""),
        Clock.systemUTC(),
        RandomSource.system());
  }
}
