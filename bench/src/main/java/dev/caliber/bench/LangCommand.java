package dev.caliber.bench;

import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code bench lang}: measures the configuration language. */
@Command(
    name = "lang",
    description = {
      "Measures the configuration language: sources compiled, prompts read, packs composed.",
      "",
      "Prompts and packs are compared with the time that the parsers of Markdown and TOML take for"
          + " the same text: no code on top of them can be faster.",
      ""
    },
    footer = {
      "",
      "Environment: BENCH_SAMPLE_SIZE and BENCH_MEAS_TIME, as for 'bench store'.",
      "",
      "Example:",
      "  bench lang --quick"
    },
    sortOptions = false,
    mixinStandardHelpOptions = true)
final class LangCommand implements Callable<Integer> {

  private final Map<String, String> environment;

  @Spec private @Nullable CommandSpec spec;
  @Mixin private OutputOptions options = new OutputOptions();

  LangCommand(Map<String, String> environment) {
    this.environment = environment;
  }

  @Override
  public Integer call() {
    CommandSpec command = Objects.requireNonNull(spec);
    ProgressPrinter progressPrinter = new ProgressPrinter(command.commandLine().getErr());
    MeasurementSettings measurementSettings = options.measurementSettings(environment);
    options.checkTargets();
    BenchReport benchReport =
        new BenchReport(
            measurementSettings.environmentAssignments() + " ./caliber bench lang",
            MachineFacts.gather(Path.of("")));
    new LangBench(measurementSettings, progressPrinter).measure(benchReport);
    options.publish("lang", benchReport, command.commandLine());
    return 0;
  }
}
