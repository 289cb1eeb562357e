package dev.caliber.bench;

import dev.caliber.bench.harness.BenchRun;
import dev.caliber.bench.harness.MeasuringCommand;
import dev.caliber.bench.memory.LangBench;
import java.util.Map;
import picocli.CommandLine.Command;

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
final class LangCommand extends MeasuringCommand {

  LangCommand(Map<String, String> environment) {
    super(environment);
  }

  @Override
  public String checkedArguments() {
    return "";
  }

  @Override
  public void measure(BenchRun run) {
    new LangBench(run.settings(), run.progressPrinter()).measure(run.report());
  }
}
