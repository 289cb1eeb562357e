package dev.caliber.bench.harness;

import java.util.List;
import picocli.CommandLine.Option;

/** Option of every command that measures stores on several engines. */
public final class EngineOption {

  @Option(
      names = "--engine",
      paramLabel = "sqlite|postgres|both",
      defaultValue = "both",
      description =
          "What to measure. PostgreSQL is a private server that is started for the run"
              + " (default: ${DEFAULT-VALUE}).")
  private BenchEngine engine = BenchEngine.BOTH;

  public List<BenchEngine> engines() {
    return engine.engines();
  }

  /** Returns the option as it was given, after a blank. */
  public String argument() {
    return " --engine " + engine;
  }
}
